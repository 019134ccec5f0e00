/** The first view of the page: the actions of the planner, and the reason why the last question failed. */
import { Network, PencilLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { plannerMessages } from '../cards/plans/messages.ts'
import type { PlanKind } from '../cards/plans/plan-draft.ts'
import { askPlanner } from '../cards/plans/planner.ts'
import type { Question } from '../cards/plans/planner.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { Failure } from './failure.tsx'
import { Idea } from './idea.tsx'
import type { IdeaCard } from './idea-card.ts'
import { planMessages } from './messages.ts'
import css from './plan.module.css'

const ICONS: Readonly<Record<PlanKind, ReactNode>> = { specify: <PencilLine />, decompose: <Network /> }

interface Props {
  readonly card: IdeaCard
  readonly failure: Extract<Question, { is: 'failed' }> | null
}

export function Start({ card, failure }: Props) {
  const t = useMessages(planMessages)
  const tPlanner = useMessages(plannerMessages)
  const ask = (kind: PlanKind): void => void askPlanner(card, kind)
  return (
    <div className={css.narrow}>
      {failure !== null && <Failure question={failure} onRetry={() => ask(failure.kind)} />}
      <Idea card={card} heading={t('idea')} />
      <section className={css.start}>
        <h2 className={css.lead}>{t('startTitle')}</h2>
        <p className={css.muted}>{t('startText')}</p>
        <div className={css.choices}>
          {(['specify', 'decompose'] as const).map((kind) => (
            <div key={kind} className={css.choice}>
              <p className={css.muted}>{t(`${kind}About`)}</p>
              <Button
                look={kind === 'decompose' && card.decomposedAt === null ? 'primary' : 'normal'}
                writes
                icon={ICONS[kind]}
                disabledReason={kind === 'decompose' && card.decomposedAt !== null ? t('splitBefore') : null}
                onClick={() => ask(kind)}
              >
                {tPlanner(kind)}
              </Button>
            </div>
          ))}
        </div>
      </section>
    </div>
  )
}
