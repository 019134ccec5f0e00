import { useMessages } from '../i18n/use-messages.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { actionMessages } from './action-messages.ts'
import css from './item.module.css'

/** Longer texts scroll in place, so that the next item stays visible. */
const SCROLLS_FROM = 700

/** Shows the text of an agent as Markdown. */
export function LongText({ text }: { readonly text: string }) {
  const t = useMessages(actionMessages)
  if (text.length < SCROLLS_FROM) return <Markdown className={css.context} text={text} />
  return (
    <div className={css.long} role="group" aria-label={t('wholeText')} tabIndex={0}>
      <Markdown className={css.context} text={text} />
    </div>
  )
}
