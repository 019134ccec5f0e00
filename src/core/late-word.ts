/** A worker speaks for its card while its run is open. Afterwards nothing it asks for happens, and nothing is lost. */
import type { Actor } from './actor.ts'
import { refuse } from './decision.ts'
import type { Decision } from './decision.ts'
import type { FactQueries, FactTypes } from './facts.ts'

/** What must be known of whoever asks, whatever they ask for. */
export const factsOf = (actor: Actor): FactQueries =>
  actor.kind === 'worker' ? { speaker: { fact: 'run_exists', id: actor.runId } } : {}

interface Said {
  readonly actor: Actor
  readonly board: string
  readonly verb: string
  readonly input: unknown
}

type Speaker = FactTypes['run_exists']['answer']

/** The decision, unless it is about the write of a worker whose run is over: that is refused, and kept. */
export function heardInTime<R>(
  decision: Decision<R>,
  { actor, board, verb, input }: Said,
  { speaker = null }: { readonly speaker?: Speaker },
): Decision<R> {
  if (actor.kind !== 'worker' || !isLate(decision, speaker)) return decision
  const { runId, taskId } = actor
  // An event belongs to the board it is written on, and so does its card.
  const about = speaker?.board === board ? speaker.taskId : null
  return refuse(
    'run_superseded',
    `Run ${runId} no longer owns card ${taskId}: stop working on it.`,
    { id: taskId, runId },
    { events: [{ kind: 'late_result', taskId: about, runId, data: { verb, content: input } }] },
  )
}

/**
 * What was sent again and changes nothing is answered as before. Other refusals stand, those of a stale fence among
 * them; only that a card is not its own any more is better told as what it is.
 */
function isLate(decision: Decision<unknown>, speaker: Speaker): boolean {
  if (!decision.ok) return decision.code === 'not_allowed' && speaker?.ended === true
  return speaker?.ended !== false && (decision.changes.length > 0 || decision.events.length > 0)
}
