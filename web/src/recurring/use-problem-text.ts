import { useMessages } from '../i18n/use-messages.tsx'
import { seriesMessages } from './messages.ts'
import type { SeriesView } from './queries.ts'

type Problem = SeriesView['problems'][number]
type Known = Extract<keyof (typeof seriesMessages)['en'], `problem_${string}`>

const isKnown = (key: string): key is Known => Object.hasOwn(seriesMessages.en, key)

/** The sentence for a problem of a series, in the language of the interface. */
export function useProblemText(): (problem: Problem, series: Pick<SeriesView, 'assignee' | 'note'>) => string {
  const t = useMessages(seriesMessages)
  return ({ code, message }, { assignee, note }) => {
    const key = `problem_${code}`
    if (!isKnown(key)) return message
    if (key === 'problem_unknown_agent') return t(key, { agent: assignee ?? '' })
    if (key === 'problem_failed') return t(key, { why: note?.kind === 'failed' ? note.message : message })
    return t(key)
  }
}
