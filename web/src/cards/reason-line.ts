/**
 * Formats the first reason of a card as one short line. The functions are pure: the caller passes the language and the
 * time.
 */
import type { ReasonView } from '../../../src/client/index.ts'
import type { Reason, ReasonCode } from '../../../src/core/reasons/reason.ts'
import { formatRelative } from '../i18n/format.ts'
import type { Language } from '../i18n/language.ts'
import { piecesOf } from '../i18n/messages.ts'
import { reasonMessages } from './reason-messages.ts'

/**
 * The tone of a reason. `act`: a person must act. `bad`: something failed. `quiet`: the reason ends without a person.
 */
export type Tone = 'quiet' | 'act' | 'bad'

const BAD: ReadonlySet<ReasonCode> = new Set([
  'breaker_open',
  'rejected_too_often',
  'attempts_spent',
  'disk_full',
  'store_damaged',
])

const ACT: ReadonlySet<ReasonCode> = new Set([
  'triage',
  'not_approved',
  'plan_failed',
  'block_loop',
  'pick_needed',
  'no_entry_left',
  'blocked',
  'commands_unapproved',
  'unassigned',
  'agent_unknown',
  'agent_file_broken',
  'agent_file_changed',
  'agents_unreadable',
  'agent_unapproved',
  'program_missing',
  'review_by_person',
  'reviewer_failed',
  'body_missing',
  'body_too_long',
  'goal_unsupported',
  'skills_missing',
  'model_without_provider',
  'effort_unknown',
  'branch_checked_out',
  'worktree_switched',
  'branch_clash',
  'dispatcher_hung',
])

export function toneOf({ code, until }: Pick<ReasonView, 'code' | 'until'>): Tone {
  if (BAD.has(code)) return 'bad'
  if (ACT.has(code)) return 'act'
  return code === 'account_paused' && until === null ? 'act' : 'quiet'
}

const SOON: Readonly<Record<Language, string>> = { en: 'soon', ko: '곧', zh: '很快' }

/** The placeholders whose values are names that a person looks for. */
const EMPHASISED: ReadonlySet<string> = new Set(['card', 'name'])

interface Context {
  readonly language: Language
  readonly now: number
}

/** A part of the line. A name is emphasised: the card or the account that the card waits for. */
export type ReasonPiece = string | { readonly name: string }

/** Formats the line as a text. */
export const reasonLine = (view: ReasonView, context: Context): string =>
  reasonPieces(view, context)
    .map((piece) => (typeof piece === 'string' ? piece : piece.name))
    .join('')

/** Formats the line. The question of an agent appears unchanged. */
export function reasonPieces(view: ReasonView, context: Context): readonly ReasonPiece[] {
  // The cast is safe, because the server sends the reasons of core. The API schema does not link a code to its
  // parameters.
  const reason = view as unknown as Reason
  // A newer server sent this code, so this page has no message for it.
  if (!Object.hasOwn(reasonMessages.en, reason.code)) return [reason.code.replaceAll('_', ' ')]
  if (reason.code === 'blocked' && reason.params.reason !== null) return [quote(reason.params.reason, context.language)]
  const values = Object.entries(valuesOf(reason, context)).map(([key, value]) => [
    key,
    EMPHASISED.has(key) && typeof value === 'string' ? { name: value } : value,
  ])
  return piecesOf<ReasonPiece>(
    context.language,
    reasonMessages[context.language][reason.code],
    Object.fromEntries(values) as Readonly<Record<string, ReasonPiece>>,
  )
}

const quote = (text: string, language: Language): string => (language === 'zh' ? `「${text}」` : `“${text}”`)

type Values = Readonly<Record<string, string | number>>

function valuesOf(reason: Reason, { language, now }: Context): Values {
  const { until } = reason
  const at = reason.code === 'scheduled' || reason.code === 'outside_hours' ? (reason.params.at ?? until) : until
  const time = at === null ? SOON[language] : formatRelative(language, at, now)
  return { time, ...namesOf(reason) }
}

/** Returns the values for the message of a reason. */
function namesOf(reason: Reason): Values {
  switch (reason.code) {
    case 'parents_open': {
      const { count, parents } = reason.params
      const [first] = parents
      return { n: count, card: first?.title ?? first?.id ?? '', more: count - 1 }
    }
    case 'breaker_open':
      return { n: reason.params.failures }
    case 'rejected_too_often':
      return { n: reason.params.times }
    case 'not_approved':
      return { card: reason.params.verifier?.id ?? '' }
    case 'blocked':
      return { reason: reason.params.kind }
    case 'review_assigned':
    case 'reviewer_failed':
      return { agent: reason.params.reviewer }
    case 'fallback_used':
      return { agent: reason.params.fallback }
    case 'files_elsewhere':
      return { machine: reason.params.host ?? reason.params.machine }
    case 'branch_elsewhere':
      return { branch: reason.params.branch, machine: reason.params.host ?? reason.params.machine }
    case 'account_paused':
    case 'account_probed':
      return { name: reason.params.account }
    default:
      return textsIn(reason.params)
  }
}

/** Returns the parameters that are text. Most messages use the names of the parameters. */
const textsIn = (params: object): Values =>
  Object.fromEntries(
    Object.entries(params).filter(
      (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  )
