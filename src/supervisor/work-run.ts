/** The work of a run, and what it came to. Only agents that owe a verdict have several turns for it. */
import type { AnswerPort } from './channel.ts'
import { checkEnding } from './turns/check-ending.ts'
import type { Working } from './owned.ts'
import { runTurn } from './turns/run-turn.ts'
import type { Life } from './turns/run-turn.ts'
import type { Ending } from './settle.ts'
import { prepareWork } from './work.ts'

/** How the run ended, checked and ready to be settled; null when it is not ours to settle. */
export async function workRun(owned: Working, life: Life, answer: AnswerPort): Promise<Ending | null> {
  const { run, ticket, channel } = owned
  // Nobody works in a run of checks, nor in one that a person has ended before it began.
  const idle: Ending | null =
    run.intent !== null ? { how: 'stopped' } : run.phase === 'check' ? { how: 'exited' } : null
  if (idle === null && !ticket.completesOnExit)
    return (await import('./turns/turns.ts')).workInTurns(owned, life, answer)
  const ending = idle ?? (await runTurn(owned, life, async (signal) => (await prepareWork(owned, signal)).request))
  // What was being said is heard to the end, and counts; nothing is said of a run that is over.
  await channel?.close()
  return ending === null ? null : checkEnding(owned, ending, life)
}
