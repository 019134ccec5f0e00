import { LoaderCircle } from 'lucide-react'
import { cancelQuestion } from '../cards/plans/planner.ts'
import type { Question } from '../cards/plans/planner.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/states.tsx'
import { Clock } from '../ui/time.tsx'
import { Idea } from './idea.tsx'
import type { IdeaCard } from './idea-card.ts'
import { planMessages } from './messages.ts'
import css from './plan.module.css'

interface Props {
  readonly card: IdeaCard
  readonly question: Extract<Question, { is: 'asking' }>
}

/** Shown while the planner works. The person may leave the page or cancel. */
export function Asking({ card, question: { kind, since } }: Props) {
  const t = useMessages(planMessages)
  return (
    <div className={css.narrow}>
      <section className={css.asking} aria-live="polite">
        <LoaderCircle className={css.spin} />
        <div className={css.askingText}>
          <h2 className={css.lead}>{t(kind === 'specify' ? 'askingSpecify' : 'askingDecompose')}</h2>
          <p className={css.muted}>{t('askingMore')}</p>
        </div>
        <span className={css.clock}>
          <Clock since={since} />
        </span>
        <Button onClick={() => cancelQuestion(card.id)}>{t('cancel')}</Button>
      </section>
      <Idea card={card} heading={t('idea')} />
      <div className={css.ghosts} aria-hidden="true">
        {[70, 52, 61].map((width) => (
          <div key={width} className={css.ghost}>
            <Skeleton width={width} />
            <Skeleton width={width / 2} isSmall />
          </div>
        ))}
      </div>
    </div>
  )
}
