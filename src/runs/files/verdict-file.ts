/**
 * The file with the verdict of a worker. The supervisor writes the file before the store records the verdict. If both
 * exist, the store decides. A dispatcher uses the file only to settle a run whose supervisor died before the store
 * recorded the verdict.
 */
import { rm } from 'node:fs/promises'
import type { Fence, Verdict } from '../../core/run.ts'
import type { RunDirectory } from './run-directory.ts'
import { writeDurably } from './run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import { openSeal, sealed } from './sealed-line.ts'

export const writeVerdict = (directory: RunDirectory, fence: Fence, verdict: unknown): Promise<void> =>
  writeDurably(directory.verdict, sealed('muster-verdict', fence, JSON.stringify(verdict)))

export const removeVerdict = (directory: RunDirectory): Promise<void> => rm(directory.verdict, { force: true })

/** Reads the verdict file. Returns null if the file is missing or its checksum is wrong. */
export async function readVerdict(directory: RunDirectory, fence: Fence): Promise<Verdict | null> {
  const text = await readIfExists(directory.verdict)
  const content = text === null ? null : openSeal('muster-verdict', text, fence)
  if (content === null) return null
  const { verdictSchema } = await import('../../core/run.ts')
  try {
    return verdictSchema.parse(JSON.parse(content))
  } catch {
    return null
  }
}
