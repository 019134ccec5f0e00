import { useMessages } from '../i18n/use-messages.tsx'
import { Markdown } from '../ui/markdown.tsx'
import type { IdeaCard } from './idea-card.ts'
import { planMessages } from './messages.ts'
import css from './plan.module.css'

/** The text of the card as it is now. */
export function Idea({ card, heading }: { readonly card: Pick<IdeaCard, 'title' | 'body'>; readonly heading: string }) {
  const t = useMessages(planMessages)
  const { title, body } = card
  return (
    <section className={css.idea} aria-label={heading}>
      <h2 className={css.heading}>{heading}</h2>
      <p className={css.ideaTitle}>{title}</p>
      {body === null || body.trim() === '' ? <p className={css.faint}>{t('noText')}</p> : <Markdown text={body} />}
    </section>
  )
}
