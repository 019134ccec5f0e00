/** Before a run that ended well is settled: what it says, or a person says of it, is believed when the checks passed. */
import { allChecksPassed, requiredChecks } from '../../core/required-checks.ts'
import type { Run } from '../../core/run.ts'
import type { Task } from '../../core/task.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { workspacePath } from '../../workspaces/workspace.ts'
import { runtimeAlarm } from '../alarm.ts'
import { endAgent } from '../end-agent.ts'
import { CheckRunner } from '../check-runner.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilAvailable } from '../retry.ts'
import type { Supervision } from './run-turn.ts'
import type { Ending } from '../settle.ts'

/** Who calls the card finished: a person, the worker, or the agent by its exit. */
type Asked = 'intent' | 'verdict' | 'exit'

/** The checks, unless the run is ended over them; null when it is not ours to settle. */
export async function checkEnding(
  owned: SupervisedRun,
  ending: Ending,
  { causes, checkRunner: workers }: Pick<Supervision, 'causes' | 'checkRunner'>,
): Promise<Ending | null> {
  const asked = await findWord(owned, ending)
  const isOwnEnd = ending.how === 'exited'
  // Nobody waits any more for what the worker asked of a run that was ended over it.
  if (!isOwnEnd) await workers.close()
  else if (asked === null) await workers.stop()
  if (asked === null) return ending
  const checkRunner = isOwnEnd ? workers : new CheckRunner(owned)
  checkRunner.agentLives = false
  const alarm = runtimeAlarm(owned, () => causes.add({ kind: 'timed_out' }))
  try {
    // A person's word is not heard twice, and checks have a time of their own to be silent for.
    const cut = isOwnEnd ? causes.next('stale') : causes.next('stale', 'intent')
    const first = await Promise.race([endingAfterChecks(checkRunner, ending, asked), cut])
    if ('how' in first) return first
    void checkRunner.close()
    const cutShort = await endAgent(owned, null, first)
    await checkRunner.close()
    return cutShort?.how === 'stopped' ? await checkEnding(owned, cutShort, { causes, checkRunner }) : cutShort
  } finally {
    if (!isOwnEnd) await checkRunner.close()
    alarm.stop()
  }
}

/** Whose word the checks must bear out; null where there is none, and the ending says itself how it went. */
async function findWord(owned: SupervisedRun, ending: Ending): Promise<Asked | null> {
  if (ending.how !== 'exited' && ending.how !== 'stopped') return null
  const { store, ticket, fence } = owned
  const look = () => Promise.all([store.run(fence.runId), store.task(ticket.board, ticket.task)])
  const [run, task] = await retryUntilAvailable(look)
  if (run === null || task === null || requiredChecks(task, run).length === 0) return null
  const asked = whatIsAsked(run, ending, ticket)
  return asked === null || (await stillHolds(owned, task, run)) ? null : asked
}

async function endingAfterChecks(checkRunner: CheckRunner, ending: Ending, asked: Asked): Promise<Ending> {
  try {
    const judged = await checkRunner.check({ onExit: asked === 'exit' })
    switch (judged.kind) {
      case 'passed':
      case 'unneeded':
      case 'overtaken':
        return ending
      case 'failed':
        return { ...ending, how: asked === 'intent' ? 'stopped' : 'checks_failed', error: judged.summary }
      case 'unapproved':
        return { ...ending, how: asked === 'intent' ? 'stopped' : 'interrupted', error: judged.summary }
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { how: 'interrupted', error: `its checks could not be run: ${why}` }
  }
}

function whatIsAsked(
  { intent, verdict }: Run,
  { how, exitCode = null, signal = null }: Ending,
  { completesOnExit }: { completesOnExit: boolean },
): Asked | null {
  if (intent !== null)
    return intent.force === null && (intent.verb === 'complete' || intent.verb === 'approve') ? 'intent' : null
  if (how !== 'exited') return null
  if (verdict !== null) return verdict.kind === 'complete' || verdict.kind === 'request_review' ? 'verdict' : null
  return completesOnExit && exitCode === 0 && signal === null ? 'exit' : null
}

/** Checks that passed while the agent lived count as long as it has changed nothing since. */
async function stillHolds({ ticket }: SupervisedRun, task: Task, run: Run): Promise<boolean> {
  const contentHash = run.checks?.contentHash ?? null
  if (!allChecksPassed(task, run) || contentHash === null) return false
  const { home, board } = ticket
  const folder = workspacePath(task.workspace, { home, board, task: task.id })
  if (folder === null) return false
  return (await callFileHelper('hashContent', { folder, home, workspace: task.workspace })) === contentHash
}
