/** The buttons that let the planner write a rough idea out, or split it. */
import { LoaderCircle, Network, PencilLine, Sparkles } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'wouter'
import { isInTriage } from '../../../../src/core/status.ts'
import { plannerMessages } from '../../cards/plans/messages.ts'
import { usePlan, useQuestion } from '../../cards/plans/planner.ts'
import { useAskForPlan } from '../../cards/plans/use-plan.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { planPath } from '../../routes/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Clock } from '../../ui/time.tsx'
import type { TabProps } from '../card-details.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'

export function PlanBox({ card }: TabProps) {
  const t = useMessages(overviewMessages)
  const tPlanner = useMessages(plannerMessages)
  const readOnly = useContext(ReadOnlyReason)
  const question = useQuestion(card.id)
  const draft = usePlan(card.id)
  const ask = useAskForPlan()
  if (!isInTriage(card.status)) return null
  const open = (
    <Link className={css.link} href={planPath(card.board, card.id)}>
      {tPlanner('openPlan')}
    </Link>
  )
  return (
    <section className={css.plan} aria-label={t('plan')}>
      {question?.is === 'asking' ? (
        <>
          <LoaderCircle />
          <p className={css.planText}>
            {t('planAsking')} <Clock since={question.since} />
          </p>
          {open}
        </>
      ) : draft !== null ? (
        <>
          <Sparkles />
          <p className={css.planText}>{t('planWaits')}</p>
          {open}
        </>
      ) : (
        <>
          <Sparkles />
          <p className={css.planText}>{t('planOffer')}</p>
          <span className={css.remedies}>
            <Button
              size="small"
              writes
              icon={<PencilLine />}
              disabledReason={readOnly}
              onClick={() => ask(card, 'specify')}
            >
              {tPlanner('specify')}
            </Button>
            <Button
              size="small"
              writes
              icon={<Network />}
              disabledReason={readOnly ?? (card.decomposedAt === null ? null : t('splitBefore'))}
              onClick={() => ask(card, 'decompose')}
            >
              {tPlanner('decompose')}
            </Button>
          </span>
        </>
      )}
    </section>
  )
}
