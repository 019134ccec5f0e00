/** Builds the texts of an item in the strip. The functions are pure. */
import type { InboxItem } from '../../api/queries.ts'
import { reasonLine } from '../../cards/reason-line.ts'
import { formatAge } from '../../i18n/format.ts'
import type { Language } from '../../i18n/language.ts'
import { withoutDirections } from '../../i18n/messages.ts'
import { translator } from '../../i18n/use-messages.tsx'
import { stripMessages } from './messages.ts'

interface Context {
  readonly language: Language
  readonly now: number
}

export interface StripItem {
  readonly title: string
  /** Several facts in one line: the card, what the agent did, the agent, the age. */
  readonly note: string
}

export function stripItem(item: InboxItem, context: Context): StripItem {
  const { kind, question, task, account, reason, work, since } = item
  const { language, now } = context
  const age = formatAge(language, since, now)
  const agent = work?.by ?? task?.assignee ?? null
  const title = task?.title ?? account ?? item.id
  if (kind === 'question' && question !== null) return { title: question, note: line([title, agent, age]) }
  if (kind === 'review') return { title, note: line([...proofOf(item, language), agent, age]) }
  return { title, note: line([reason === null ? null : reasonLine(reason, context), agent, age]) }
}

const line = (facts: readonly (string | null)[]): string =>
  withoutDirections(facts.filter((fact) => fact !== null).join(' · '))

function proofOf({ work }: InboxItem, language: Language): readonly string[] {
  const t = translator(stripMessages, language)
  const { checks = null, changes = null } = work ?? {}
  return [
    ...(checks === null ? [] : [t('checks', checks)]),
    ...(changes === null ? [] : [`+${changes.added} −${changes.removed} ${t('files', { n: changes.files })}`]),
  ]
}

/** Describes the most important kinds of items in words, for the strip on a phone. */
export function kindsLine(items: readonly Pick<InboxItem, 'kind'>[], language: Language): string {
  const t = translator(stripMessages, language)
  const kinds = [...new Set(items.map(({ kind }) => kind))].slice(0, 2)
  const named = kinds.map((kind) => t(`one_${kind}`))
  const rest = items.length - kinds.length
  return [...named, ...(rest > 0 ? [t('more', { n: rest })] : [])].join(language === 'zh' ? '、' : ', ')
}
