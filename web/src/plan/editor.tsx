/** The plan of the planner, while the person changes it. */
import { useState } from 'react'
import { isInTriage } from '../../../src/core/status.ts'
import { askPlanner, keepPlan } from '../cards/plans/planner.ts'
import type { Question } from '../cards/plans/planner.ts'
import { faultOf, refusedCard } from '../cards/plans/plan-draft.ts'
import type { PlanDraft } from '../cards/plans/plan-draft.ts'
import { useQueryField } from '../routes/use-query-field.ts'
import { Actions } from './actions.tsx'
import { Failure } from './failure.tsx'
import type { IdeaCard } from './idea-card.ts'
import { Notes } from './notes.tsx'
import css from './plan.module.css'
import { SpecifyEditor } from './specify-editor.tsx'
import { SplitEditor } from './split-editor.tsx'
import { useApply } from './use-apply.ts'

interface Props {
  readonly card: IdeaCard
  readonly draft: PlanDraft
  readonly failure: Extract<Question, { is: 'failed' }> | null
}

export function Editor({ card, draft, failure }: Props) {
  const [hasTried, setHasTried] = useState(false)
  const [, setOpen] = useQueryField('at')
  const { apply, error, reset, isBusy } = useApply(card, draft)
  const found = faultOf(draft)
  const fault = hasTried ? found : null
  const change = (next: PlanDraft): void => {
    reset()
    keepPlan(card.id, next)
  }
  const isStale = !isInTriage(card.status) || card.deletedAt !== null
  const send = (isHeld: boolean): void => {
    setHasTried(true)
    if (found === null) apply(isHeld)
    else if (found.card !== null) setOpen(found.card, { adds: false })
  }
  const refused = refusedCard(draft, error?.detail('field') ?? null)
  return (
    <>
      <div className={css.editor}>
        <div className={css.top}>
          <p className={css.cardName}>{card.title}</p>
          {failure !== null && <Failure question={failure} onRetry={() => void askPlanner(card, failure.kind)} />}
          <Notes card={card} draft={draft} />
        </div>
        {draft.plan.kind === 'decompose' ? (
          <SplitEditor card={card} draft={draft} onChange={change} fault={fault} refused={refused} />
        ) : (
          <SpecifyEditor card={card} draft={draft} onChange={change} fault={fault} />
        )}
      </div>
      <Actions card={card} draft={draft} error={error} fault={fault} isStale={isStale} isBusy={isBusy} onApply={send} />
    </>
  )
}
