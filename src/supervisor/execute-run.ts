/**
 * Runs the agent of a run, and then the checks of the card. An agent may have several turns if it must report a verdict
 * or its card has a goal.
 */
import { isJudgedRun } from '../core/goal.ts'
import type { AnswerWorker } from './run-socket.ts'
import { checkEnding } from './turns/check-ending.ts'
import type { ConnectedRun } from './supervised-run.ts'
import { runTurn } from './turns/run-turn.ts'
import type { Supervision } from './turns/run-turn.ts'
import type { Ending } from '../core/transitions/settlement/input.ts'
import { prepareAgent } from './start-agent.ts'

/** Runs the agent and the checks, and returns how the run ended. Returns null if another process settles the run. */
export async function executeRun(
  owned: ConnectedRun,
  supervision: Supervision,
  answer: AnswerWorker,
): Promise<Ending | null> {
  const { run, ticket, socket } = owned
  // No agent starts if the run only runs checks, or if a person ended the run before it began.
  const idle: Ending | null =
    run.intent !== null ? { how: 'stopped' } : run.phase === 'check' ? { how: 'exited' } : null
  if (idle === null && (!ticket.completesOnExit || isJudgedRun(owned.task, run)))
    return (await import('./turns/turns.ts')).workInTurns(owned, supervision, answer)
  const ending =
    idle ?? (await runTurn(owned, supervision, async (signal) => (await prepareAgent(owned, signal)).request))
  // Closing the socket first answers the current requests, so that their verdicts count. Later requests are refused.
  await socket?.close()
  return ending === null ? null : checkEnding(owned, ending, supervision)
}
