/** Finds a verdict that the store has not recorded, because the supervisor died earlier. */
import { rename } from 'node:fs/promises'
import { wasChecked } from '../../core/required-checks.ts'
import type { Fence, Run, Verdict } from '../../core/run.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { hasResult, readTurn, resultPath } from '../../runs/files/result-file-reader.ts'
import type { ResultVerdict } from '../../runs/files/result-file-reader.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { readVerdict } from '../../runs/files/verdict-file.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'
import { fenceOf } from './lost-run-files.ts'

export interface UnrecordedVerdict {
  readonly verdict: Verdict
  /** Moves the result file out of the workspace, after the verdict is recorded. */
  readonly archiveFile?: () => Promise<void>
}

interface LostRunFiles {
  readonly ending: Ending
  readonly directory: RunDirectory
  readonly completesOnExit: boolean | null
}

/**
 * Reads the verdict file, or a result file that the supervisor had no time to read. The verdict is ignored if the
 * checks may have failed and withdrawn it.
 */
export async function readUnrecordedVerdict(
  run: Run,
  { ending, directory, completesOnExit }: LostRunFiles,
): Promise<UnrecordedVerdict | null> {
  if (run.verdict !== null) return null
  const verdict = await readVerdict(directory, fenceOf(run))
  const owesVerdict = ending.how === 'exited' && completesOnExit === false
  const found = verdict !== null ? { verdict } : owesVerdict ? await readResultFile(directory, fenceOf(run)) : null
  const kind = found?.verdict.kind
  const mayBeWithdrawn = wasChecked(run) && (kind === 'complete' || kind === 'request_review')
  return mayBeWithdrawn ? null : found
}

/**
 * Reads the result file. Returns null if the file is missing or not valid, or if its verdict names artifacts or a
 * reviewer, because only a supervisor can handle those. In these cases, the card runs again.
 */
async function readResultFile(directory: RunDirectory, fence: Fence): Promise<UnrecordedVerdict | null> {
  try {
    const turn = await readTurn(directory, fence)
    if (turn === null || !(await hasResult(turn))) return null
    const { verdictSchema } = await import('../../core/run.ts')
    const parsed = verdictSchema.safeParse(asRow(await callFileHelper('readResult', turn)))
    if (!parsed.success || needsMore(parsed.data)) return null
    const archiveFile = async (): Promise<void> => {
      if (turn.managed) await rename(resultPath(turn), directory.result).catch(() => {})
    }
    return { verdict: parsed.data, archiveFile }
  } catch {
    return null
  }
}

const asRow = ({ verdict, fields: { kind = 'needs_input', ...others } }: ResultVerdict): object =>
  verdict === 'block' ? { ...others, kind: verdict, blockKind: kind } : { ...others, kind: verdict }

const needsMore = (verdict: Verdict): boolean =>
  verdict.kind === 'complete'
    ? verdict.artifacts.length > 0 || verdict.metadata?.['artifacts'] !== undefined
    : verdict.kind === 'request_review' && verdict.reviewer !== null
