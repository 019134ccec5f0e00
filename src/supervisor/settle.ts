/** Closes the run. Until this has happened the card is running and its place is taken, so it is tried until it works. */
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

/** What was heard of the agent itself; null where it does not tell. */
interface Told {
  readonly usage: Usage | null
  readonly said: string | null
  /** What the run changed in its worktree. */
  readonly changes: Changes | null
}

/** False when checks were added to the card meanwhile: they must run first. */
export async function settleRun(
  { store, ticket, directory, fence, run }: SupervisedRun,
  ending: Ending,
  { usage, said, changes }: Told,
): Promise<boolean> {
  const { board, task, completesOnExit, harness } = ticket
  const lastWords = (hasCrashed(ending) ? null : said) ?? (await lastWordsIn(directory.log, harness)) ?? said
  const settled = await retryUntilAvailable(() =>
    store.decide({
      verb: 'settle',
      board,
      actor: SUPERVISOR,
      input: {
        task,
        runId: fence.runId,
        by: { fence },
        ending,
        completesOnExit,
        lastWords,
        account: run.account,
        usage,
        changes,
      },
    }),
  )
  // Superseded: somebody else has closed the run, and what we said is kept as an event.
  if (!settled.ok && settled.error.code === 'checks_required') return false
  if (!settled.ok && settled.error.code !== 'run_superseded') throw settled.error
  return true
}

/** Of a program's stream its last words or deed; what reads those is loaded for them alone. */
async function lastWordsIn(log: string, harness: string): Promise<string | null> {
  const readLine = (await loadHarness(harness))?.readLine ?? null
  if (readLine === null) return readLogTail(log)
  const { readLastOutput } = await import('./turns/last-output.ts')
  return readLastOutput(log, readLine)
}
