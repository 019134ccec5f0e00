/**
 * The result file that an agent left whose supervisor did not live to read it. What needs more than the word to be
 * recorded, files to hand over or a reviewer that must be allowed, is not taken from here: that run is done again.
 */
import { rename } from 'node:fs/promises'
import type { Fence, Verdict } from '../../core/run.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { hasResult, readTurn, resultPath } from '../../runs/files/result-file-reader.ts'
import type { ResultVerdict } from '../../runs/files/result-file-reader.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'

export interface UnreadResult {
  readonly verdict: Verdict
  /** Said and written down, it is no part of the work. */
  readonly putAway: () => Promise<void>
}

/** Null when there is none, or none that can be taken for a verdict. */
export async function readUnreadResult(directory: RunDirectory, fence: Fence): Promise<UnreadResult | null> {
  try {
    const turn = await readTurn(directory, fence)
    if (turn === null || !(await hasResult(turn))) return null
    const { verdictSchema } = await import('../../core/run.ts')
    const said = verdictSchema.safeParse(inRows(await callFileHelper('readResult', turn)))
    if (!said.success || wantsMore(said.data)) return null
    const putAway = async (): Promise<void> => {
      if (turn.managed) await rename(resultPath(turn), directory.result).catch(() => {})
    }
    return { verdict: said.data, putAway }
  } catch {
    return null
  }
}

const inRows = ({ verdict, said: { kind = 'needs_input', ...said } }: ResultVerdict): object =>
  verdict === 'block' ? { ...said, kind: verdict, blockKind: kind } : { ...said, kind: verdict }

const wantsMore = (said: Verdict): boolean =>
  said.kind === 'complete'
    ? said.artifacts.length > 0 || said.metadata?.['artifacts'] !== undefined
    : said.kind === 'request_review' && said.reviewer !== null
