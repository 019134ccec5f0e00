/** An agent speaks for its card while its run is open. A later write changes nothing, and its content is kept. */
import { actorRun } from './actor.ts'
import type { Actor } from './actor.ts'
import { refuse } from './decision.ts'
import type { Decision } from './decision.ts'
import type { FactQueries, FactTypes } from './facts.ts'

/** What must be known of the caller, whatever the verb is. */
export function factsOf(actor: Actor): FactQueries {
  const id = actorRun(actor)
  return id === null ? {} : { speaker: { fact: 'run_exists', id } }
}

interface Write {
  readonly actor: Actor
  readonly board: string
  readonly verb: string
  readonly input: unknown
}

type Speaker = FactTypes['run_exists']['answer']

/** The decision, unless the caller's run is over: then a refusal that keeps what was said, whatever the verb decided. */
export function rejectIfRunEnded<R>(
  decision: Decision<R>,
  { actor, board, verb, input }: Write,
  { speaker = null }: { readonly speaker?: Speaker },
): Decision<R> {
  const runId = actorRun(actor)
  if (runId === null || speaker?.ended === false || isResend(verb, decision) || isKept(decision)) return decision
  // A run that this store never had may say nothing; there is no card to keep its content with.
  if (speaker === null && !decision.ok) return decision
  const taskId = 'taskId' in actor ? actor.taskId : null
  // An event belongs to the board it is written on, and so does its card.
  const about = speaker?.board === board ? speaker.taskId : null
  return refuse(
    'run_superseded',
    `Run ${runId} no longer owns card ${taskId}: stop working on it. Nothing was changed; what you said is kept.`,
    { id: taskId, runId },
    { events: [{ kind: 'late_result', taskId: about, runId, data: { verb, content: withoutProof(input) } }] },
  )
}

/** Commands that mint the id of a row. With a row of that id they were sent before, and are answered as then. */
const MINTING: readonly string[] = ['create', 'comment', 'attach']

const isResend = (verb: string, decision: Decision<unknown>): boolean =>
  decision.ok && decision.changes.length === 0 && decision.events.length === 0 && MINTING.includes(verb)

/** Verbs that compare the fence themselves keep their content in the form that others read. */
const isKept = (decision: Decision<unknown>): boolean =>
  !decision.ok && decision.events.some(({ kind }) => kind === 'late_result')

/** Fields that prove ownership stand in no event. */
const PROOFS: readonly string[] = ['fence', 'tokenHash', 'dispatcherTokenHash', 'checker']

const withoutProof = (input: unknown): unknown =>
  typeof input === 'object' && input !== null
    ? Object.fromEntries(Object.entries(input).filter(([field]) => !PROOFS.includes(field)))
    : input
