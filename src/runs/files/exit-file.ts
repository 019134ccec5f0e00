/**
 * The exit status of the agent. The wrapper process writes it to a file, so that it is not lost if the supervisor dies.
 */
import { rm } from 'node:fs/promises'
import os from 'node:os'
import { open, writeFile } from '../../util/guarded-files.ts'
import type { Fence } from '../../core/run.ts'
import type { RunDirectory } from './run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import type { ProcessExit } from '../../processes/spawn.ts'
import { openSeal } from './sealed-line.ts'

/**
 * Parses the exit status. A shell reports a death by signal n as exit code 128 + n. So a program that exits with such a
 * code itself also counts as killed.
 */
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
 * Marks that Muster is about to end the agent, so that the exit status does not count as the agent's own. Errors are
 * ignored, for example on a full disk, because the store records the same mark.
 */
export const markCutOff = ({ cutOff }: RunDirectory): Promise<void> =>
  writeFile(cutOff, '', { mode: 0o600, flush: true }).catch(() => {})

/** Whether the supervisor, the watchdog or a dispatcher ended the agent. */
export const wasCutOff = async (directory: RunDirectory): Promise<boolean> =>
  (await readIfExists(directory.cutOff)) !== null

/**
 * Deletes the files of a turn durably, so that the next turn does not inherit its exit status, wrapper or verdict. The
 * exit status is deleted first: after a crash at this point, the missing exit status does not count as a failure. The
 * owner of the tools is deleted because it may be process 1, which never ends. The system makes process 1 the parent of
 * tools that start while their agent exits.
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
