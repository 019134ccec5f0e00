/** Describes the texts that each action needs, and the call that the action sends. */
import type { Client } from '../../../../src/client/index.ts'
import { isBlocked, isInTriage, isScheduled } from '../../../../src/core/status.ts'
import { ASKED_BLOCK_KINDS } from '../../../../src/core/vocabulary.ts'
import type { CardDetails } from '../card-details.ts'
import { endsRun } from './legal-actions.ts'
import type { CardAction } from './legal-actions.ts'
import type { actionMessages } from './messages.ts'

type English = (typeof actionMessages)['en']
/** The messages without placeholders. */
export type ActionMessage = {
  [Key in keyof English]: English[Key] extends `${string}{${string}` ? never : Key
}[keyof English]

export interface ActionField {
  readonly name: string
  readonly kind: 'text' | 'line' | 'moment' | 'agent' | 'choice'
  readonly label: ActionMessage
  readonly hint?: ActionMessage
  readonly isRequired?: boolean
  readonly initial?: string
  readonly choices?: readonly { readonly value: string; readonly label: ActionMessage }[]
}

export interface ActionForm {
  readonly fields: readonly ActionField[]
  /** The effect of the action. Null if the name of the action already explains it. */
  readonly note: ActionMessage | null
}

const reason = (label: ActionMessage, isRequired = false): ActionField => ({
  name: 'reason',
  kind: 'text',
  label,
  isRequired,
})

const STRATEGIES = ['squash', 'merge', 'rebase'] as const

const FIELDS: Partial<Record<CardAction, (card: CardDetails) => readonly ActionField[]>> = {
  'request-changes': () => [reason('whatMustChange', true)],
  'force-approve': () => [{ name: 'force', kind: 'text', label: 'whySkip', isRequired: true }],
  answer: () => [{ name: 'text', kind: 'text', label: 'answerText', isRequired: true }],
  unblock: ({ status }) => (isBlocked(status) ? [reason('instruction')] : []),
  promote: ({ blockKind, status }) => (blockKind !== null || isInTriage(status) ? [reason('instruction')] : []),
  complete: ({ checks, agentChecks }) => [
    { name: 'summary', kind: 'text', label: 'summaryText', hint: 'summaryHint' },
    ...(checks.length + agentChecks.length > 0
      ? [{ name: 'force', kind: 'text', label: 'skipChecks', hint: 'skipChecksHint' } as const]
      : []),
  ],
  stop: () => [reason('why')],
  reclaim: () => [reason('why')],
  reopen: () => [reason('whatIsLeft')],
  hold: () => [reason('why')],
  block: () => [
    reason('whatMustHappen', true),
    {
      name: 'kind',
      kind: 'choice',
      label: 'blockKind',
      initial: 'needs_input',
      choices: ASKED_BLOCK_KINDS.map((kind) => ({ value: kind, label: `kind_${kind}` as const })),
    },
  ],
  schedule: ({ scheduledAt }) => [
    {
      name: 'at',
      kind: 'moment',
      label: 'startAt',
      hint: 'startAtHint',
      initial: scheduledAt === null ? '' : localMoment(scheduledAt),
    },
    reason('why'),
  ],
  'request-review': ({ reviewer }) => [
    { name: 'summary', kind: 'text', label: 'whatToReview' },
    { name: 'reviewer', kind: 'agent', label: 'reviewer', initial: reviewer ?? '' },
  ],
  land: ({ workspace }) => [
    {
      name: 'strategy',
      kind: 'choice',
      label: 'strategy',
      initial: 'squash',
      choices: STRATEGIES.map((strategy) => ({ value: strategy, label: `strategy_${strategy}` as const })),
    },
    {
      name: 'into',
      kind: 'line',
      label: 'into',
      isRequired: workspace.baseBranch === null,
      initial: workspace.baseBranch ?? '',
    },
  ],
}

function noteOf(action: CardAction, card: CardDetails): ActionMessage | null {
  if (action === 'stop') return 'stopNote'
  if (action === 'reclaim') return endsRun(action, card) ? 'restartNote' : 'giveBackNote'
  if (endsRun(action, card)) return 'endsRunNote'
  if (action === 'promote' && card.openParents > 0) return 'promoteNote'
  if (action === 'reopen' && card.children.length > 0) return 'reopenNote'
  return null
}

/** Returns the form of an action. Null means that the action needs no text and runs at once. */
export function formOf(action: CardAction, card: CardDetails): ActionForm | null {
  const fields = FIELDS[action]?.(card) ?? []
  const note = noteOf(action, card)
  return fields.length === 0 && note === null ? null : { fields, note }
}

/** Returns the name of an action. A scheduled card is not blocked, so `unblock` has another name for it. */
export const nameOf = (action: CardAction, { status }: Pick<CardDetails, 'status'>): `do_${CardAction}` =>
  action === 'unblock' && isScheduled(status) ? 'do_promote' : `do_${action}`

export type Values = Readonly<Record<string, string>>

export const initialValues = ({ fields }: ActionForm): Values =>
  Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial]))

export const missingField = ({ fields }: ActionForm, values: Values): ActionField | null =>
  fields.find(({ name, kind, isRequired = false }) =>
    kind === 'moment' && (values[name] ?? '') !== ''
      ? Number.isNaN(Date.parse(values[name] ?? ''))
      : isRequired && (values[name] ?? '').trim() === '',
  ) ?? null

const two = (value: number): string => String(value).padStart(2, '0')

/** Formats a time as the value of an input of the type `datetime-local`. */
function localMoment(at: number): string {
  const date = new Date(at)
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

type Call = (client: Client, card: CardDetails, values: Values) => Promise<unknown>

/** Returns a value of the form. Blank text becomes null and is not sent. */
const given = (values: Values, name: string): string | null => {
  const text = (values[name] ?? '').trim()
  return text === '' ? null : text
}

const CALLS: Readonly<Record<CardAction, Call>> = {
  undelete: (client, { id: task }) => client.undelete({ task }),
  approve: (client, { id: task }) => client.approve({ task }),
  'force-approve': (client, { id: task }, values) => client.approve({ task, force: given(values, 'force') }),
  'request-changes': (client, { id: task }, values) =>
    client.requestChanges({ task, reason: given(values, 'reason') ?? '' }),
  answer: (client, { id: task }, values) => client.answer({ task, text: given(values, 'text') ?? '' }),
  unblock: (client, { id: task }, values) =>
    client.unblock({ task, reason: given(values, 'reason'), reset: given(values, 'reset') !== null }),
  promote: (client, { id: task, openParents }, values) =>
    client.promote({ task, reason: given(values, 'reason'), force: openParents > 0 }),
  land: (client, { id: task }, values) =>
    client.land({
      task,
      strategy: STRATEGIES.find((strategy) => strategy === values['strategy']) ?? null,
      into: given(values, 'into'),
    }),
  release: (client, { id: task }) => client.release({ task }),
  unarchive: (client, { id: task }) => client.unarchive({ task }),
  stop: (client, { id: task }, values) => client.stop({ task, reason: given(values, 'reason') }),
  complete: (client, { id: task }, values) =>
    client.complete({ task, summary: given(values, 'summary'), force: given(values, 'force') }),
  reclaim: (client, { id: task }, values) => client.reclaim({ task, reason: given(values, 'reason') }),
  reopen: (client, { id: task }, values) => client.reopen({ task, reason: given(values, 'reason') }),
  hold: (client, { id: task }, values) => client.hold({ task, reason: given(values, 'reason') }),
  block: (client, { id: task }, values) =>
    client.block({
      task,
      reason: given(values, 'reason') ?? '',
      kind: ASKED_BLOCK_KINDS.find((kind) => kind === values['kind']),
    }),
  schedule: (client, { id: task }, values) => {
    const at = given(values, 'at')
    return client.schedule({ task, at: at === null ? null : Date.parse(at), reason: given(values, 'reason') })
  },
  'request-review': (client, { id: task }, values) =>
    client.requestReview({ task, summary: given(values, 'summary'), reviewer: given(values, 'reviewer') }),
  claim: (client, { id: task }) => client.claim({ task }),
  duplicate: (client, { id: task }) => client.duplicate({ task }),
  archive: (client, { id: task }) => client.archive({ task }),
  delete: (client, { id: task }) => client.delete({ task }),
}

export const runAction = (client: Client, action: CardAction, card: CardDetails, values: Values): Promise<unknown> =>
  CALLS[action](client, card, values)
