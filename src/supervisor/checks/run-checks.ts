/**
 * Runs all checks of a card in order. After a failed check, the other checks still run, so that the agent can fix
 * everything at once.
 */
import { stat } from 'node:fs/promises'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { isShortage } from '../retry.ts'
import { parseCheck } from './check.ts'
import type { CheckResult } from './check.ts'
import type { CheckPlace } from './command-check.ts'
import { runCheckCommand } from './command-check.ts'

/** Runs the checks. If the signal aborts, rejects with the reason of the signal. */
export async function runChecks(checks: readonly string[], place: CheckPlace): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checks) {
    place.signal.throwIfAborted()
    const began = performance.now()
    const judged = await runCheck(check, place)
    results.push({ check, ...judged, durationMs: Math.round(performance.now() - began) })
  }
  return results
}

async function runCheck(text: string, place: CheckPlace): Promise<Omit<CheckResult, 'check' | 'durationMs'>> {
  const { workspace, signal } = place
  const check = parseCheck(text)
  try {
    // The folder is checked first, because Node would report a missing folder as a missing shell.
    if (!(await stat(workspace)).isDirectory()) return probed(`${workspace} is not a folder`)
    switch (check.kind) {
      case 'command':
        return await runCheckCommand(check.line, place)
      case 'file':
        return probed(await callFileHelper('probeFile', { root: workspace, glob: check.glob }, { signal }))
      case 'json':
        return probed(
          await callFileHelper('probeJson', { root: workspace, file: check.file, schema: check.schema }, { signal }),
        )
    }
  } catch (error) {
    place.signal.throwIfAborted()
    // The machine lacks a resource, so the check has not failed.
    if (isShortage(error)) throw error
    return probed(`could not be run: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const probed = (fault: string | null): Omit<CheckResult, 'check' | 'durationMs'> => ({
  ok: fault === null,
  fault,
  exitCode: null,
  signal: null,
  timedOut: false,
  output: '',
  leftOutBytes: 0,
})
