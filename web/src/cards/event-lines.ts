/**
 * Formats an event as a sentence in pieces, so that a screen can show a card as a link or a name in bold. The functions
 * are pure: the caller passes the language and the time.
 */
import type { EventData, EventKind } from '../../../src/core/event.ts'
import { EVENT_KINDS } from '../../../src/core/event-kinds.ts'
import type { FeedEvent } from '../api/live-messages.ts'
import { formatMoment } from '../i18n/format.ts'
import type { Language } from '../i18n/language.ts'
import { formatNumber, piecesOf } from '../i18n/messages.ts'
import { eventMessages } from './event-messages.ts'
import type { EventPiece } from './event-piece.ts'
import { withParticles } from './korean-particles.ts'

export type EventTone = 'good' | 'bad' | 'act' | 'quiet'

export interface EventLine {
  readonly pieces: readonly EventPiece[]
  /** Text by a person or an agent, such as a reason or a summary. Null means that the event contains no such text. */
  readonly note: string | null
  readonly tone: EventTone
}

interface Context {
  readonly language: Language
  readonly now: number
  /**
   * Words for the card of the event, such as `this card`. Without them, the card is a piece that the screen can link.
   */
  readonly ownCard?: string
  /** Returns the agent of a run. If it is missing or returns null, the sentence names no agent. */
  readonly agentOf?: (run: string) => string | null
}

type Shown = Pick<FeedEvent, 'kind' | 'taskId' | 'runId' | 'actor'> & { readonly data: FeedEvent['data'] }

/**
 * Returns the displayed name of a person or agent. All components of Muster share one name, because readers do not know
 * them individually.
 */
export const actorLabel = (actor: string): string =>
  actor.startsWith('muster:') ? 'Muster' : actor.replace(/^agent:/, '')

export function eventLine(event: Shown, context: Context): EventLine {
  // A newer server sent this kind, so this page has no message for it.
  if (!EVENT_KINDS.includes(event.kind)) return { pieces: [event.kind.replaceAll('_', ' ')], note: null, tone: 'quiet' }
  const worker = event.actor.startsWith('muster:') && event.runId !== null ? context.agentOf?.(event.runId) : null
  const actor = worker ?? actorLabel(event.actor)
  const key = keyOf(event, actor)
  const values: Values = { ...valuesOf(event, context), actor: named(actor), ...ownCard(event, context) }
  const { language } = context
  const pieces = piecesOf<EventPiece | number>(language, eventMessages[language][key], values).map((piece) =>
    typeof piece === 'number' ? formatNumber(language, piece) : piece,
  )
  return {
    pieces: capitalized(language === 'ko' ? withParticles(pieces) : pieces),
    note: noteOf(event),
    tone: TONES[event.kind] ?? 'quiet',
  }
}

function capitalized([first, ...rest]: readonly EventPiece[]): readonly EventPiece[] {
  if (first === undefined) return rest
  return [typeof first === 'string' ? `${first.slice(0, 1).toUpperCase()}${first.slice(1)}` : first, ...rest]
}

type Key = keyof (typeof eventMessages)['en']

const isKey = (key: string): key is Key => Object.hasOwn(eventMessages.en, key)

const ownCard = ({ taskId }: Shown, { ownCard: words }: Context): Values => {
  if (words !== undefined) return { card: words }
  return taskId === null ? {} : { card: { is: 'card', id: taskId, isOwn: true } }
}

/**
 * Returns the key of the message for a kind, or for a variant of it. If the actor is unknown, the variant names no
 * actor.
 */
function keyOf(event: Shown, actor: string): Key {
  const variant = variantOf(event)
  const key: Key = variant === null ? event.kind : (`${event.kind}_${variant}` as Key)
  const byBoard = `${key}_by_board`
  return actor === 'Muster' && isKey(byBoard) ? byBoard : isKey(key) ? key : event.kind
}

/**
 * Returns the data of an event with the type of its kind. The API schema does not link kind and data, and lists may
 * leave out long values.
 */
const dataOf = <K extends EventKind>(event: Shown, _kind: K): Partial<EventData[K]> =>
  event.data as Partial<EventData[K]>

function variantOf(event: Shown): string | null {
  switch (event.kind) {
    case 'approval_needed':
      return dataOf(event, event.kind).reason === 'wider' ? 'wider' : null
    case 'assigned': {
      const { assignee, source } = dataOf(event, event.kind)
      return assignee == null ? 'none' : (source ?? null)
    }
    case 'blocked': {
      const { kind } = dataOf(event, event.kind)
      if (kind === 'needs_input') return 'question'
      return kind === 'breaker' || kind === 'budget' || kind === 'attempts' ? 'limit' : null
    }
    case 'claimed': {
      const { phase, insteadOf } = dataOf(event, event.kind)
      if (phase === 'review' || phase === 'check') return phase
      return insteadOf === undefined ? null : 'instead'
    }
    case 'completed':
      return dataOf(event, event.kind).forced === undefined ? null : 'forced'
    case 'created':
      return dataOf(event, event.kind).assignee == null ? null : 'for'
    case 'linked':
    case 'unlinked':
      return dataOf(event, event.kind).parent === event.taskId ? 'child' : null
    case 'promoted':
      return dataOf(event, event.kind).cause === 'schedule' ? 'schedule' : null
    case 'review_requested':
      return dataOf(event, event.kind).reviewer == null ? null : 'of'
    case 'scheduled':
      return dataOf(event, event.kind).at == null ? 'open' : null
    case 'series_skipped':
      return dataOf(event, event.kind).reason === 'still_running' ? 'still_running' : null
    case 'token_created':
      return dataOf(event, event.kind).kind === 'session' ? 'session' : null
    case 'turn_started':
      return TURN_FORMS[dataOf(event, event.kind).cause ?? ''] ?? null
    case 'goal_judged': {
      const { answer } = dataOf(event, event.kind)
      return answer === undefined || answer === 'continue' ? null : answer
    }
    case 'workspace_swept':
      return dataOf(event, event.kind).snapshot == null ? null : 'copy'
    default:
      return null
  }
}

const TURN_FORMS: Readonly<Record<string, 'checks' | 'goal'>> = {
  checks_failed: 'checks',
  goal_open: 'goal',
  goal_met: 'goal',
}

const named = (text: string): EventPiece => ({ is: 'name', text })

type Values = Readonly<Record<string, EventPiece | number>>

/** Returns the values for all placeholders of the message except the actor and the card. */
function valuesOf(event: Shown, { language, now }: Context): Values {
  const time = (at: number | null | undefined): Values => (at == null ? {} : { time: formatMoment(language, at, now) })
  switch (event.kind) {
    case 'assigned':
    case 'created':
      return names({ agent: dataOf(event, event.kind).assignee })
    case 'attached':
    case 'attachment_removed':
      return names({ file: dataOf(event, event.kind).filename })
    case 'board_created':
    case 'board_deleted':
    case 'hidden_from_inbox':
    case 'paused':
    case 'resumed':
    case 'shown_in_inbox':
    case 'token_created':
    case 'token_revoked':
    case 'view_deleted':
    case 'view_saved':
      return names({ name: dataOf(event, event.kind).name })
    case 'series_added':
    case 'series_edited':
    case 'series_failed':
    case 'series_paused':
    case 'series_removed':
    case 'series_resumed':
    case 'series_skipped':
      return names({ name: dataOf(event, event.kind).title })
    case 'view_renamed': {
      const { from, name } = dataOf(event, event.kind)
      return names({ name, other: from })
    }
    case 'blackboard_removed':
    case 'blackboard_written':
      return names({ name: dataOf(event, event.kind).key })
    case 'changes_requested':
    case 'review_requested':
      return names({ agent: dataOf(event, event.kind).reviewer })
    case 'claimed': {
      const { agent, attempt, insteadOf } = dataOf(event, event.kind)
      return { ...names({ agent: agent ?? actorLabel(event.actor), other: insteadOf }), attempt: attempt ?? 1 }
    }
    case 'committed':
      return { n: dataOf(event, event.kind).files ?? 0 }
    case 'decomposed':
      return { n: dataOf(event, event.kind).children?.length ?? 0 }
    case 'demoted':
    case 'parent_reopened':
      return other(dataOf(event, event.kind).parent)
    case 'picked':
      return other(dataOf(event, event.kind).winner)
    case 'goal_judged': {
      const { turn = 0, maxTurns = 0 } = dataOf(event, event.kind)
      return { turn, most: maxTurns }
    }
    case 'gave_up':
      return { n: dataOf(event, event.kind).failures ?? 0 }
    case 'intent_recorded':
      return names({ verb: dataOf(event, event.kind).verb })
    case 'landed':
      return names({ branch: dataOf(event, event.kind).into })
    case 'linked':
    case 'unlinked': {
      const { parent, child } = dataOf(event, event.kind)
      return other(parent === event.taskId ? child : parent)
    }
    case 'rate_limited':
    case 'respawn_guarded':
      return time(dataOf(event, event.kind).until)
    case 'reprioritized': {
      const { priority = 0, was = 0 } = dataOf(event, event.kind)
      return { priority, was }
    }
    case 'scheduled':
      return time(dataOf(event, event.kind).at)
    case 'sweep_deferred':
      return other(dataOf(event, event.kind).child)
    case 'worktree_made':
      return names({ branch: dataOf(event, event.kind).branch })
    case 'worktree_taken_over':
      return other(dataOf(event, event.kind).from)
    default:
      return {}
  }
}

const names = (all: Readonly<Record<string, string | null | undefined>>): Values =>
  Object.fromEntries(Object.entries(all).flatMap(([key, text]) => (text == null ? [] : [[key, named(text)]])))

const other = (id: string | undefined): Values => (id === undefined ? {} : { other: { is: 'card', id, isOwn: false } })

/** The fields that may contain text for people, the most useful field first. Card ids and commits are left out. */
const NOTES = ['forced', 'error', 'summary', 'reason', 'note', 'output', 'message'] as const
/** For these kinds, the reason is a code or repeats the sentence, so it is not shown as a note. */
const WITHOUT_NOTE: ReadonlySet<EventKind> = new Set([
  'approval_needed',
  'claim_rejected',
  'respawn_guarded',
  'scratch_explained',
  'overreached',
  'series_skipped',
])

function noteOf({ kind, data }: Shown): string | null {
  if (kind === 'edited' || kind === 'board_changed' || kind === 'series_edited' || kind === 'specified')
    return listOf(data['fields'])
  if (kind === 'overreached') return textOf(data['asked'])
  if (kind === 'goal_judged') return listOf(data['missing']) ?? textOf(data['reason'])
  if (kind === 'repaired') return textOf(data['rule'])
  if (WITHOUT_NOTE.has(kind)) return null
  for (const field of NOTES) {
    const text = textOf(data[field])
    if (text !== null) return text
  }
  return null
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

const listOf = (value: unknown): string | null =>
  Array.isArray(value) && value.length > 0 ? value.map(String).join(', ') : null

const TONES: Readonly<Partial<Record<EventKind, EventTone>>> = {
  approval_needed: 'act',
  approved: 'good',
  block_loop_detected: 'act',
  blocked: 'act',
  changes_requested: 'act',
  checks_failed: 'bad',
  checks_passed: 'good',
  completed: 'good',
  completion_refused: 'bad',
  crashed: 'bad',
  gave_up: 'bad',
  landed: 'good',
  overreached: 'bad',
  pick_failed: 'bad',
  pick_needed: 'act',
  picked: 'good',
  plan_failed: 'bad',
  protocol_violation: 'bad',
  review_requested: 'act',
  series_failed: 'bad',
  spawn_failed: 'bad',
  swarm_approved: 'good',
  swarm_rejected: 'act',
  timed_out: 'bad',
  verdict_withdrawn: 'bad',
}
