/** The bar below the plan: apply it, ask again, or discard it. */
import { Check, CirclePause, RefreshCw, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ClientError } from '../../../src/client/index.ts'
import type { PlanDraft, PlanProblem } from '../cards/plans/plan-draft.ts'
import { isEdited } from '../cards/plans/plan-draft.ts'
import { askPlanner, keepPlan } from '../cards/plans/planner.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { cardPath } from '../routes/paths.ts'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { showToast } from '../ui/toasts.ts'
import type { IdeaCard } from './idea-card.ts'
import { planMessages } from './messages.ts'
import css from './plan.module.css'

interface Props {
  readonly card: IdeaCard
  readonly draft: PlanDraft
  readonly error: ClientError | null
  readonly fault: PlanProblem | null
  readonly isStale: boolean
  readonly isBusy: boolean
  readonly onApply: (isHeld: boolean) => void
}

export function Actions({ card, draft, error, fault, isStale, isBusy, onApply }: Props) {
  const t = useMessages(planMessages)
  const language = useLanguage()
  const discard = useDiscard(card, draft)
  const [isAsking, setIsAsking] = useState(false)
  const stale = isStale ? t('noLongerIdea') : null
  const askAgain = (): void => {
    setIsAsking(false)
    keepPlan(card.id, null)
    void askPlanner(card, draft.asked)
  }
  const applyByKey = (): void => {
    if (!isStale && !isBusy) onApply(false)
  }
  useShortcuts([{ keys: 'mod+enter', name: t('apply'), group: t('title'), inFields: true, onPress: applyByKey }])
  return (
    <footer className={css.bar}>
      <p className={css.barText} role={error === null && fault === null ? undefined : 'alert'}>
        {error !== null ? (
          <span className={css.fault}>
            <TriangleAlert /> {t('refused')} {describeError(error, language)}
          </span>
        ) : fault !== null ? (
          <span className={css.fault}>
            <TriangleAlert /> {t(fault.fault)}
          </span>
        ) : (
          t(isEdited(draft) ? 'edited' : 'saved')
        )}
      </p>
      <span className={css.barButtons}>
        <Button
          look="ghost"
          writes
          icon={<RefreshCw />}
          disabledReason={stale}
          onClick={() => (isEdited(draft) ? setIsAsking(true) : askAgain())}
        >
          {t('askAgain')}
        </Button>
        <Button look="ghost" isDanger icon={<Trash2 />} onClick={discard}>
          {t('discard')}
        </Button>
        <Button
          writes
          icon={<CirclePause />}
          tip={t('applyHeldTip')}
          disabledReason={stale}
          isBusy={isBusy}
          onClick={() => onApply(true)}
        >
          {t('applyHeld')}
        </Button>
        <Button
          look="primary"
          writes
          icon={<Check />}
          disabledReason={stale}
          isBusy={isBusy}
          onClick={() => onApply(false)}
        >
          {t('apply')}
        </Button>
      </span>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('askAgainTitle')}
        footer={
          <>
            <Button onClick={() => setIsAsking(false)}>{t('cancel')}</Button>
            <Button look="primary" writes onClick={askAgain}>
              {t('askAgain')}
            </Button>
          </>
        }
      >
        {t('askAgainText')}
      </ConfirmDialog>
    </footer>
  )
}

/** Discards the plan. The message offers to bring it back. */
function useDiscard(card: IdeaCard, draft: PlanDraft): () => void {
  const t = useMessages(planMessages)
  const [path, navigate] = useLocation()
  return () => {
    keepPlan(card.id, null)
    navigate(cardPath(card.board, card.id))
    const restore = (): void => {
      keepPlan(card.id, draft)
      navigate(path)
    }
    showToast({ kind: 'done', text: t('discarded'), action: { label: t('undo'), onChoose: restore } })
  }
}
