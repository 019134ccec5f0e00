/** The work of a run, and what it came to. Only agents that owe a verdict have several turns for it. */
import type { AnswerWorker } from './run-socket.ts'
import { checkEnding } from './turns/check-ending.ts'
import type { ConnectedRun } from './supervised-run.ts'
import { runTurn } from './turns/run-turn.ts'
import type { Supervision } from './turns/run-turn.ts'
import type { Ending } from './settle.ts'
import { prepareAgent } from './start-agent.ts'

/** How the run ended, checked and ready to be settled; null when it is not ours to settle. */
export async function executeRun(
  owned: ConnectedRun,
  supervision: Supervision,
  answer: AnswerWorker,
): Promise<Ending | null> {
  const { run, ticket, socket } = owned
  // Nobody works in a run of checks, nor in one that a person has ended before it began.
  const idle: Ending | null =
    run.intent !== null ? { how: 'stopped' } : run.phase === 'check' ? { how: 'exited' } : null
  if (idle === null && !ticket.completesOnExit)
    return (await import('./turns/turns.ts')).workInTurns(owned, supervision, answer)
  const ending =
    idle ?? (await runTurn(owned, supervision, async (signal) => (await prepareAgent(owned, signal)).request))
  // What was being said is heard to the end, and counts; nothing is said of a run that is over.
  await socket?.close()
  return ending === null ? null : checkEnding(owned, ending, supervision)
}
