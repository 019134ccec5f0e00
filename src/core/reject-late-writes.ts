/**
 * An agent may change its card while its run is open. A later change by the agent is refused and recorded as an event.
 */
import { actorRun } from './actor.ts'
import type { Actor } from './actor.ts'
import { refuse } from './decision.ts'
import type { Decision } from './decision.ts'
import type { FactQueries, FactTypes } from './facts.ts'

/** The facts about the caller that every verb needs. */
export function callerFacts(actor: Actor): FactQueries {
  const id = actorRun(actor)
  return id === null ? {} : { callerRun: { fact: 'run_exists', id } }
}

interface WorkerWrite {
  readonly actor: Actor
  readonly board: string
  readonly verb: string
  readonly input: unknown
}

type CallerRun = FactTypes['run_exists']['answer']

/**
 * Returns the decision, unless the caller's run has ended. In that case, returns a refusal and records the refused
 * change.
 */
export function rejectIfRunEnded<R>(
  decision: Decision<R>,
  { actor, board, verb, input }: WorkerWrite,
  { callerRun = null }: { readonly callerRun?: CallerRun },
): Decision<R> {
  const runId = actorRun(actor)
  if (runId === null || callerRun?.ended === false || isResend(verb, decision) || isRecorded(decision)) return decision
  // The store does not know the run, so there is no card on which to record the refused change.
  if (callerRun === null && !decision.ok) return decision
  const taskId = 'taskId' in actor ? actor.taskId : null
  // An event may name only a card of its own board.
  const about = callerRun?.board === board ? callerRun.taskId : null
  return refuse(
    'run_superseded',
    `Run ${runId} no longer owns card ${taskId}: stop working on it. Nothing was changed; your input is kept in the history.`,
    { id: taskId, runId },
    { events: [{ kind: 'late_result', taskId: about, runId, data: { verb, content: withoutProof(input) } }] },
  )
}

/** The commands whose caller chooses the id of the new row. If the row exists, the command was sent before. */
const VERBS_WITH_CHOSEN_ID: readonly string[] = ['create', 'create_swarm', 'comment', 'attach']

const isResend = (verb: string, decision: Decision<unknown>): boolean =>
  decision.ok && decision.changes.length === 0 && decision.events.length === 0 && VERBS_WITH_CHOSEN_ID.includes(verb)

/** Whether the decision already records the late change. Some verbs refuse and record late changes themselves. */
const isRecorded = (decision: Decision<unknown>): boolean =>
  !decision.ok && decision.events.some(({ kind }) => kind === 'late_result')

/** The secret fields of an input, which are never written into an event. */
const PROOFS: readonly string[] = ['fence', 'tokenHash', 'dispatcherTokenHash', 'checker']

const withoutProof = (input: unknown): unknown =>
  typeof input === 'object' && input !== null
    ? Object.fromEntries(Object.entries(input).filter(([field]) => !PROOFS.includes(field)))
    : input
