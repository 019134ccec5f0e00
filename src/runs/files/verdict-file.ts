/**
 * What a worker said of its run, kept beside the run before the store has it. The row is the truth; the file speaks only
 * where the row is missing, when a dispatcher settles for a supervisor that died between the two.
 */
import { rm } from 'node:fs/promises'
import type { Fence, Verdict } from '../../core/run.ts'
import type { RunDirectory } from './run-directory.ts'
import { writeDurably } from './run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import { openSeal, sealed } from './sealed-line.ts'

/** On one line, as JSON writes it, so it can be sealed like the others. */
export const writeVerdict = (directory: RunDirectory, fence: Fence, verdict: unknown): Promise<void> =>
  writeDurably(directory.verdict, sealed('muster-verdict', fence, JSON.stringify(verdict)))

/** What was refused was never said. */
export const removeVerdict = (directory: RunDirectory): Promise<void> => rm(directory.verdict, { force: true })

/** Null when there is none that can be trusted. */
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
