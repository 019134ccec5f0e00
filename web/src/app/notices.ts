/** Decides which items are new, and builds the text of a notification. All functions are pure. */
import type { InboxItem } from '../api/queries.ts'
import type { Language } from '../i18n/language.ts'
import { formatMessage } from '../i18n/messages.ts'
import { noticeMessages } from './notice-messages.ts'

type Noticed = Pick<InboxItem, 'id' | 'kind' | 'since' | 'task' | 'account' | 'question'>

/** When each known item began to wait. */
export type Known = ReadonlyMap<string, number>

export const knownOf = (items: readonly Noticed[], before: Known = new Map()): Known =>
  new Map([...before, ...items.map(({ id, since }) => [id, since] as const)])

/**
 * Returns new items, and known items that began to wait again. The item that has waited longest comes first, as in the
 * inbox.
 */
export const newItems = <Item extends Noticed>(items: readonly Item[], known: Known): readonly Item[] =>
  items.filter(({ id, since }) => (known.get(id) ?? -1) < since)

interface Notice {
  readonly title: string
  readonly body: string
}

/** Builds one notification for all items. Its text describes the first item. */
export function noticeOf(items: readonly Noticed[], language: Language): Notice | null {
  const [first] = items
  if (first === undefined) return null
  const messages = noticeMessages[language]
  const kind = Object.hasOwn(messages, first.kind) ? messages[first.kind] : messages.other
  const name = first.task?.title ?? first.account ?? first.id
  const more = items.length === 1 ? '' : ` ${formatMessage(language, messages.more, { n: items.length - 1 })}`
  const question = first.kind === 'question' && first.question !== null ? `${cut(first.question)}\n` : ''
  return { title: formatMessage(language, kind), body: `${question}${cut(name)}${more}` }
}

const LONGEST = 140
const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`)
