/**
 * The verdict of a worker, written before the store records it. The row is the truth; the file counts only if the row is
 * missing, when a dispatcher settles the run of a supervisor that died between the two.
 */
import { rm } from 'node:fs/promises'
import type { Fence, Verdict } from '../../core/run.ts'
import type { RunDirectory } from './run-directory.ts'
import { writeDurably } from './run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import { openSeal, sealed } from './sealed-line.ts'

/** JSON on one line, so that it can be sealed. */
export const writeVerdict = (directory: RunDirectory, fence: Fence, verdict: unknown): Promise<void> =>
  writeDurably(directory.verdict, sealed('muster-verdict', fence, JSON.stringify(verdict)))

export const removeVerdict = (directory: RunDirectory): Promise<void> => rm(directory.verdict, { force: true })

/** Null if the file is missing or its seal is broken. */
export async function readVerdict(directory: RunDirectory, fence: Fence): Promise<Verdict | null> {
  const text = await readIfExists(directory.verdict)
  const words = text === null ? null : openSeal('muster-verdict', text, fence)
  if (words === null) return null
  const { verdictSchema } = await import('../../core/run.ts')
  try {
    return verdictSchema.parse(JSON.parse(words))
  } catch {
    return null
  }
}
