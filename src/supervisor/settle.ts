/**
 * Closes the run. The supervisor retries this until a shutdown, because an open run keeps its card running and its slot
 * in use.
 */
import type { Changes } from '../core/run.ts'
import { loadHarness } from '../harnesses/index.ts'
import { readLogTail } from '../runs/log/log-tail.ts'
import type { Usage } from '../harnesses/stream/entry.ts'
import { hasCrashed } from '../harnesses/stream/classify-ending.ts'
import type { SupervisedRun } from './supervised-run.ts'
import { SUPERVISOR } from './supervised-run.ts'
import { retryUntilShutdown } from './retry.ts'
import { swarmWorkers } from './swarm-workers.ts'
import type { Ending } from '../core/transitions/settlement/input.ts'

interface RunReport {
  /** The usage of the run. Null means that the CLI does not report usage. */
  readonly usage: Usage | null
  /** The agent's last message. Null means that the CLI does not report messages. */
  readonly lastMessage: string | null
  /** The changes that the run made in its worktree. */
  readonly changes: Changes | null
}

/**
 * Closes the run. Returns false if a person added checks to the card in the meantime, because these checks must run
 * first.
 */
export async function settleRun(supervised: SupervisedRun, ending: Ending, report: RunReport): Promise<boolean> {
  const { store, ticket, fence, run } = supervised
  const { board, task, completesOnExit } = ticket
  const { usage, changes } = report
  const workers = await retryUntilShutdown(supervised, () => swarmWorkers(store, supervised.task))
  const input = {
    task,
    runId: fence.runId,
    by: { fence },
    ending,
    completesOnExit,
    lastOutput: await lastOutputOf(supervised, ending, report),
    account: run.account,
    usage,
    changes,
    workers,
  }
  const settled = await retryUntilShutdown(supervised, () =>
    store.decide({ verb: 'settle', board, actor: SUPERVISOR, input }),
  )
  if (settled.ok) return true
  if (settled.error.code === 'checks_required') return false
  // Another process has closed the run. The store has recorded this ending as an event.
  if (settled.error.code === 'run_superseded') return true
  throw settled.error
}

/**
 * The text that explains the ending best. After a crash, the CLI's last output explains more than the agent's last
 * message.
 */
async function lastOutputOf(
  { directory, ticket }: SupervisedRun,
  ending: Ending,
  { lastMessage }: RunReport,
): Promise<string | null> {
  return (hasCrashed(ending) ? null : lastMessage) ?? (await readOutput(directory.log, ticket.harness)) ?? lastMessage
}

/** Reads the end of the log. The stream parser is loaded only here, because most supervisors never need it. */
async function readOutput(log: string, harness: string): Promise<string | null> {
  const readLine = (await loadHarness(harness))?.readLine ?? null
  if (readLine === null) return readLogTail(log)
  const { readLastOutput } = await import('./turns/last-output.ts')
  return readLastOutput(log, readLine)
}
