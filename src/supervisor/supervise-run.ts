/**
 * Supervises one run after the guard (supervise.ts). The agent works in turns (turns.ts) until it exits, or until a
 * timeout, a person, a shutdown or the loss of the store ends it. Then the supervisor ends all processes of the group,
 * runs the checks and settles the run. If another process owns the run, this process does not settle it.
 */
import { Activity } from './activity.ts'
import { commitChanges } from './workspace/commit-changes.ts'
import { EndCauses } from './end-causes.ts'
import { openRunSocket } from './run-socket.ts'
import type { AnswerWorker } from './run-socket.ts'
import type { Cut } from './end-agent.ts'
import { OutputMonitor } from './turns/output-monitor.ts'
import { CheckRunner } from './check-runner.ts'
import { endSessions } from './turns/end-sessions.ts'
import { keepLease } from './lease.ts'
import { TurnTimeout } from './turns/turn-timeout.ts'
import type { SupervisedRun } from './supervised-run.ts'
import { checkEnding } from './turns/check-ending.ts'
import { settleRun } from './settle.ts'
import type { Ending } from '../core/transitions/settlement/input.ts'
import type { Supervision } from './turns/run-turn.ts'
import { NO_WATCHDOG, startWatchdog } from './start-watchdog.ts'
import { executeRun } from './execute-run.ts'

export async function superviseRun(owned: SupervisedRun, answer: AnswerWorker): Promise<void> {
  const { shutdown } = owned
  const causes = new EndCauses<Cut>()
  const end = (kind: Exclude<Cut['kind'], 'stuck'>): void => causes.add({ kind })
  const checkRunner = new CheckRunner(owned)
  const activity = new Activity(owned.directory.log)
  const monitor = new OutputMonitor(owned, (failure) => causes.add({ kind: 'stuck', failure }))
  const turnTimeout = new TurnTimeout(owned, checkRunner)
  let watchdog = NO_WATCHDOG
  const lease = keepLease(owned, {
    isActive: () => activity.hasPrinted(),
    onRenewed: (held) => {
      watchdog.beat()
      // The checks have their own timeout, so silence counts only while the agent is alive.
      if (activity.isStale(held) && checkRunner.agentLives) end('stale')
    },
    onSuperseded: () => end('superseded'),
    onIntent: () => end('intent'),
    onCutOff: () => end('cut_off'),
  })
  shutdown.addEventListener('abort', () => end('shutdown'))
  if (shutdown.aborted) end('shutdown')
  const socket = await openRunSocket({ owned, checkRunner, turnTimeout }, answer)
  try {
    watchdog = await startWatchdog(owned)
    const ending = await executeRun(
      { ...owned, socket },
      { causes, checkRunner, activity, turnTimeout, monitor },
      answer,
    )
    await socket?.close()
    if (ending !== null) await settleChecked(owned, ending, { causes, monitor })
    await endSessions(owned)
  } finally {
    await socket?.close()
    turnTimeout.endTurn()
    await checkRunner.close()
    lease.stop()
    watchdog.stop()
  }
}

/**
 * The maximum number of rounds of checks. Without a limit, a person who keeps adding checks could delay the end of the
 * run forever.
 */
const CHECK_ROUNDS = 3

/** Settles the run. If a person added checks in the meantime, these checks run first. */
async function settleChecked(
  owned: SupervisedRun,
  first: Ending,
  { causes, monitor }: Pick<Supervision, 'causes' | 'monitor'>,
): Promise<void> {
  let ending: Ending | null = first
  for (let round = 1; ending !== null && !(await commitAndSettle(owned, ending, monitor)); round += 1)
    ending =
      round < CHECK_ROUNDS
        ? await checkEnding(owned, ending, { causes, checkRunner: new CheckRunner(owned) })
        : { how: 'interrupted', error: 'checks were added faster than they could run' }
}

const commitAndSettle = async (
  owned: SupervisedRun,
  ending: Ending,
  { usage, lastMessage }: OutputMonitor,
): Promise<boolean> => settleRun(owned, ending, { usage, lastMessage, changes: await commitChanges(owned, ending) })
