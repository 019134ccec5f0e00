/** Decides how the page of a card carries out a remedy of a reason. */
import type { ReasonView } from '../../../../src/client/index.ts'
import { CARD_ACTIONS } from '../actions/legal-actions.ts'
import type { CardAction } from '../actions/legal-actions.ts'
import { isReady } from '../../../../src/core/status.ts'
import type { Task } from '../../../../src/core/task.ts'
import { isEditable } from '../fields/field-list.ts'
import type { FieldName } from '../fields/field-list.ts'

export type Remedy = ReasonView['remedies'][number]

export type RemedyStep =
  | { readonly by: 'action'; readonly action: CardAction; readonly isReset: boolean }
  /** The person changes a field of the card. */
  | { readonly by: 'field'; readonly field: FieldName | 'body' }
  | { readonly by: 'fresh_workspace' }
  /** The person approves the commands with the button in the box of commands. */
  | { readonly by: 'approve_commands' }
  | { readonly by: 'resume'; readonly kind: string; readonly name: string }
  | { readonly by: 'unarchive_board'; readonly board: string }
  | { readonly by: 'board_settings'; readonly board: string }
  /** Only the command line can carry out the remedy. */
  | { readonly by: 'command'; readonly line: string }

/** The card on whose page the remedy is shown. */
interface Shown {
  readonly id: string
  readonly status: Task['status']
}

/** A remedy for another card, such as the verifier of a swarm, is a command line here. */
export function remedyStep({ operation, input, asks }: Remedy, card: Shown | null = null): RemedyStep | null {
  const text = (name: string): string => String(input[name] ?? '')
  const isElsewhere = card !== null && typeof input['task'] === 'string' && input['task'] !== card.id
  if (isElsewhere) return { by: 'command', line: `muster ${operation} ${text('task')}` }
  if (operation === 'promote' && input['force'] === true && card !== null && isReady(card.status))
    return { by: 'command', line: `muster promote ${text('task')} --force` }
  switch (operation) {
    case 'assign':
      return { by: 'field', field: 'assignee' }
    case 'edit':
      return input['freshWorkspace'] === true ? { by: 'fresh_workspace' } : fieldStep(asks[0])
    case 'approve-commands':
      return { by: 'approve_commands' }
    case 'resume':
      return { by: 'resume', kind: text('kind'), name: text('name') }
    case 'boards unarchive':
      return { by: 'unarchive_board', board: text('slug') }
    case 'boards set':
      return { by: 'board_settings', board: text('slug') }
    case 'agents approve':
      return { by: 'command', line: `muster agents approve ${shellWord(text('folder'))}` }
    case 'gc':
      return { by: 'command', line: `muster gc --discard ${text('discard')} --apply` }
    case 'up':
      return { by: 'command', line: 'muster up' }
    default:
      return actionStep(operation, input)
  }
}

function fieldStep(field: string | undefined): RemedyStep | null {
  if (field === 'body') return { by: 'field', field }
  return field !== undefined && isEditable(field) ? { by: 'field', field } : null
}

function actionStep(operation: string, input: Remedy['input']): RemedyStep | null {
  const action = CARD_ACTIONS.find((known) => known === operation)
  return action === undefined ? null : { by: 'action', action, isReset: input['reset'] === true }
}

/** Quotes a word for a POSIX shell. */
const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
