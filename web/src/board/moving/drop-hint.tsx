/**
 * During a drag, shows what a drop on this column would do, or why it would do nothing. The hint covers the cards
 * without moving them.
 */
import { Ban } from 'lucide-react'
import { effectMessages, obstructionMessages } from '../../cards/actions/move-messages.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { actionMessages } from '../actions/messages.ts'
import type { LaneName } from '../lanes.ts'
import css from './moving.module.css'
import { useIsHeldOver, useLanePlan } from './use-lane-drop.ts'

export function DropHint({ lane, isRail = false }: { readonly lane: LaneName; readonly isRail?: boolean }) {
  const t = useMessages(actionMessages)
  const tEffect = useMessages(effectMessages)
  const tWhy = useMessages(obstructionMessages)
  const plan = useLanePlan(lane)
  const isOver = useIsHeldOver(lane)
  if (plan === null) return null
  const [move] = plan.moves
  if (move !== undefined)
    return (
      <div className={classNames(css.legal, isOver && css.over)} data-drop="legal">
        {!isRail && (
          <span className={css.effect}>
            {tEffect(move.move.effect)}
            {plan.denied.length > 0 &&
              ` (${t('partly', { k: plan.moves.length, n: plan.moves.length + plan.denied.length })})`}
          </span>
        )}
      </div>
    )
  const why = plan.denied[0]?.why
  if (plan.isHome || why === undefined) return null
  return (
    <div className={css.illegal} data-drop="illegal">
      {!isRail && (
        <p className={css.why}>
          <Ban />
          <span>{tWhy(why)}</span>
        </p>
      )}
    </div>
  )
}
