/** Shows that a command waits for a run to end, and then shows the result. */
import { useEffect } from 'react'
import { useValue } from '../../app-state/use-value.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { CardDetails, CardRun, TabProps } from '../card-details.ts'
import css from './actions.module.css'
import { openRunOf } from './legal-actions.ts'
import type { CardAction } from './legal-actions.ts'
import { actionMessages } from './messages.ts'
import { forgetPending, pendingActions, wasApplied } from './pending-actions.ts'

export function RunNotice({ card }: TabProps) {
  const t = useMessages(actionMessages)
  useSettledPending(card)
  const run = openRunOf(card)
  if (run === null || (run.intent === null && run.phase !== 'check')) return null
  return (
    <p className={css.notice} role="status">
      <span className={css.beat} aria-hidden="true" />
      {run.intent === null ? t('checkingNotice') : t('intentNotice', { action: t(`do_${actionOf(run.intent.verb)}`) })}
    </p>
  )
}

const actionOf = (verb: NonNullable<CardRun['intent']>['verb']): CardAction => verb

function useSettledPending(card: CardDetails): void {
  const t = useMessages(actionMessages)
  const pending = useValue(pendingActions)
  useEffect(() => {
    for (const { run: id, action } of pending.filter((one) => one.card === card.id)) {
      const run = card.runs.find((one) => one.id === id)
      if (run === undefined || run.endedAt === null) continue
      forgetPending(id)
      const isDone = wasApplied(action, run)
      showToast({
        kind: isDone ? 'done' : 'failed',
        text: t(isDone ? 'settledDone' : 'settledOther', { card: t(`do_${action}`) }),
        ...(!isDone && run.error !== null && { note: run.error }),
      })
    }
  }, [pending, card, t])
}
