/** How the agent ended, as its wrapper wrote it down. It outlives the supervisor, so no exit status is ever lost. */
import { rm } from 'node:fs/promises'
import os from 'node:os'
import { open, writeFile } from '../../util/guarded-files.ts'
import type { Fence } from '../../core/run.ts'
import type { RunDirectory } from './run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import type { ProcessExit } from '../../processes/spawn.ts'
import { openSeal } from './sealed-line.ts'

/** A shell reports a death by signal as 128 + n; a program that exits with such a number is taken at its word. */
export function parseExit(text: string, fence: Fence): ProcessExit | null {
  const code = openSeal('muster-exit', text, fence)
  return code !== null && /^\d{1,3}$/.test(code) ? exitOf(Number(code)) : null
}

const exitOf = (code: number): ProcessExit => ({ code, signal: code > 128 ? signalOf(code - 128) : null })

function signalOf(number: number): NodeJS.Signals | null {
  const found = Object.entries(os.constants.signals).find(([, value]) => value === number)
  return found ? (found[0] as NodeJS.Signals) : null
}

export async function readExit(directory: RunDirectory, fence: Fence): Promise<ProcessExit | null> {
  const text = await readIfExists(directory.exit)
  return text === null ? null : parseExit(text, fence)
}

/**
 * Says beside the exit status that it is not the agent's own: somebody of ours is about to end it. The store is told too,
 * where it can be reached; a disk that is full costs only this.
 */
export const markCutOff = ({ cutOff }: RunDirectory): Promise<void> =>
  writeFile(cutOff, '', { mode: 0o600, flush: true }).catch(() => {})

/** Whether the agent was ended by its supervisor, its watchdog or a dispatcher. */
export const wasCutOff = async (directory: RunDirectory): Promise<boolean> =>
  (await readIfExists(directory.cutOff)) !== null

/**
 * Takes away what a turn left: how it ended, who led it and what it said that does not hold any more must not be read as
 * the next one's, by anybody and not even after the machine went down. The exit status goes first: without it the run is
 * nobody's failure. Whoever held the tools is gone, too, though not always the process that is on record: tools that
 * start just when their agent ends find themselves with the first process of the system, which never goes.
 */
export async function clearTurn({ path, exit, cutOff, pid, verdict, toolsOwner }: RunDirectory): Promise<void> {
  for (const file of [exit, cutOff, pid, verdict, toolsOwner]) await rm(file, { force: true })
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
