/** Runs the checks of a card before its run is settled, if the worker or a person has declared the card finished. */
import { allChecksPassed, requiredChecks } from '../../core/required-checks.ts'
import type { Run } from '../../core/run.ts'
import type { Task } from '../../core/task.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { workspacePath } from '../../workspaces/workspace.ts'
import { runtimeAlarm } from '../alarm.ts'
import { endAgent } from '../end-agent.ts'
import type { Cut } from '../end-agent.ts'
import { CheckRunner } from '../check-runner.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilShutdown } from '../retry.ts'
import type { Supervision } from './run-turn.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'

/**
 * Who claims that the card is finished: a person (`intent`), the worker (`verdict`), or the agent's exit code (`exit`).
 */
type Claim = 'intent' | 'verdict' | 'exit'

/** Runs the checks of the card, unless another cause ends the run. Returns null if another process settles the run. */
export async function checkEnding(
  owned: SupervisedRun,
  ending: Ending,
  { causes, checkRunner: workers }: Pick<Supervision, 'causes' | 'checkRunner'>,
): Promise<Ending | null> {
  const claim = await findClaim(owned, ending)
  await stopUnwantedChecks(workers, ending, claim)
  if (claim === null) return ending
  const checkRunner = ending.how === 'exited' ? workers : new CheckRunner(owned)
  checkRunner.agentLives = false
  const alarm = runtimeAlarm(owned, () => causes.add({ kind: 'timed_out' }))
  try {
    const first = await Promise.race([endingAfterChecks(checkRunner, ending, claim), nextCut(causes, ending)])
    return 'how' in first ? first : await endChecks(owned, first, { causes, checkRunner })
  } finally {
    if (checkRunner !== workers) await checkRunner.close()
    alarm.stop()
  }
}

/**
 * Finds the claim that the card is finished. Returns null if no checks are needed. In that case, the ending alone
 * decides the outcome.
 */
async function findClaim(owned: SupervisedRun, ending: Ending): Promise<Claim | null> {
  if (ending.how !== 'exited' && ending.how !== 'stopped') return null
  const { store, ticket, fence } = owned
  const read = () => Promise.all([store.run(fence.runId), store.task(ticket.board, ticket.task)])
  const [run, task] = await retryUntilShutdown(owned, read)
  if (run === null || task === null || requiredChecks(task, run).length === 0) return null
  const claim = claimOf(run, ending, ticket)
  return claim === null || (await isStillChecked(owned, task, run)) ? null : claim
}

function claimOf(
  { intent, verdict }: Run,
  { how, exitCode = null, signal = null }: Ending,
  { completesOnExit }: { completesOnExit: boolean },
): Claim | null {
  if (intent !== null)
    return intent.force === null && (intent.verb === 'complete' || intent.verb === 'approve') ? 'intent' : null
  if (how !== 'exited') return null
  if (verdict !== null) return verdict.kind === 'complete' || verdict.kind === 'request_review' ? 'verdict' : null
  return completesOnExit && exitCode === 0 && signal === null ? 'exit' : null
}

/** Stops checks that the worker requested, if the worker no longer waits for them. */
async function stopUnwantedChecks(workers: CheckRunner, { how }: Ending, claim: Claim | null): Promise<void> {
  if (how !== 'exited') await workers.close()
  else if (claim === null) await workers.stop()
}

/**
 * Returns the next cause that ends the checks. Silence of the agent does not count, because the checks have their own
 * timeout. A person's request that already stopped the agent does not count either.
 */
const nextCut = (causes: Supervision['causes'], { how }: Ending): Promise<Cut> =>
  how === 'exited' ? causes.next('stale') : causes.next('stale', 'intent')

/**
 * Ends the checks. If a person completed or approved the card in the meantime, the checks run again for that command.
 */
async function endChecks(
  owned: SupervisedRun,
  cut: Cut,
  { causes, checkRunner }: Pick<Supervision, 'causes' | 'checkRunner'>,
): Promise<Ending | null> {
  void checkRunner.close()
  const ending = await endAgent(owned, null, cut)
  await checkRunner.close()
  return ending?.how === 'stopped' ? checkEnding(owned, ending, { causes, checkRunner }) : ending
}

async function endingAfterChecks(checkRunner: CheckRunner, ending: Ending, claim: Claim): Promise<Ending> {
  try {
    const outcome = await checkRunner.check({ onExit: claim === 'exit' })
    switch (outcome.kind) {
      case 'passed':
      case 'unneeded':
      case 'overtaken':
        return ending
      case 'failed':
        return { ...ending, how: claim === 'intent' ? 'stopped' : 'checks_failed', error: outcome.summary }
      case 'unapproved':
        return { ...ending, how: claim === 'intent' ? 'stopped' : 'interrupted', error: outcome.summary }
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { how: 'interrupted', error: `its checks could not be run: ${why}` }
  }
}

/**
 * Whether checks that passed while the agent was alive still count. They count if the workspace has not changed since
 * then.
 */
export async function isStillChecked({ ticket }: SupervisedRun, task: Task, run: Run): Promise<boolean> {
  const contentHash = run.checks?.contentHash ?? null
  if (!allChecksPassed(task, run) || contentHash === null) return false
  const { home, board } = ticket
  const folder = workspacePath(task.workspace, { home, board, task: task.id })
  if (folder === null) return false
  return (await callFileHelper('hashContent', { folder, home, workspace: task.workspace })) === contentHash
}
