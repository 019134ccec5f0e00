/** Closes the run. Until the store has done so, the card stays running and keeps its slot, so this retries for as long as it takes. */
import type { Changes } from '../core/run.ts'
import type { InputOf } from '../core/transitions/index.ts'
import { loadHarness } from '../harnesses/index.ts'
import { readLogTail } from '../runs/log/log-tail.ts'
import type { Usage } from '../harnesses/stream/entry.ts'
import { hasCrashed } from '../harnesses/stream/classify-ending.ts'
import type { SupervisedRun } from './supervised-run.ts'
import { SUPERVISOR } from './supervised-run.ts'
import { retryUntilAvailable } from './retry.ts'

export type Ending = InputOf<'settle'>['ending']

interface RunReport {
  /** Null if the CLI does not report it. */
  readonly usage: Usage | null
  /** The agent's last message; null if the CLI does not report it. */
  readonly said: string | null
  /** What the run changed in its worktree. */
  readonly changes: Changes | null
}

/** False when checks were added to the card meanwhile: they must run first. */
export async function settleRun(supervised: SupervisedRun, ending: Ending, report: RunReport): Promise<boolean> {
  const { store, ticket, fence, run } = supervised
  const { board, task, completesOnExit } = ticket
  const { usage, changes } = report
  const input = {
    task,
    runId: fence.runId,
    by: { fence },
    ending,
    completesOnExit,
    lastWords: await lastOutputOf(supervised, ending, report),
    account: run.account,
    usage,
    changes,
  }
  const settled = await retryUntilAvailable(() => store.decide({ verb: 'settle', board, actor: SUPERVISOR, input }))
  if (settled.ok) return true
  if (settled.error.code === 'checks_required') return false
  // Superseded: another process has closed the run, and the store has recorded this ending as an event.
  if (settled.error.code === 'run_superseded') return true
  throw settled.error
}

/** After a crash, the CLI's last output explains more than the agent's last message. */
async function lastOutputOf(
  { directory, ticket }: SupervisedRun,
  ending: Ending,
  { said }: RunReport,
): Promise<string | null> {
  return (hasCrashed(ending) ? null : said) ?? (await readOutput(directory.log, ticket.harness)) ?? said
}

/** The parser of a CLI's stream is loaded only here: most supervisors never need it. */
async function readOutput(log: string, harness: string): Promise<string | null> {
  const readLine = (await loadHarness(harness))?.readLine ?? null
  if (readLine === null) return readLogTail(log)
  const { readLastOutput } = await import('./turns/last-output.ts')
  return readLastOutput(log, readLine)
}
