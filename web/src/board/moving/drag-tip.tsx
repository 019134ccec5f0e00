/** Shows during a drag where the cards would be dropped, and how to cancel the drag. */
import { useValue } from '../../app-state/use-value.ts'
import { statusMessages } from '../../cards/status-messages.ts'
import { effectMessages } from '../../cards/actions/move-messages.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { columnOf } from '../actions/known-cards.ts'
import css from './moving.module.css'
import { drag, dragOver } from './drag-state.ts'
import type { Drag, DragOver } from './drag-state.ts'
import { movingMessages } from './messages.ts'

export function DragTip() {
  const held = useValue(drag)
  const over = useValue(dragOver)
  return held === null || over === null ? null : <Tip held={held} over={over} />
}

function Tip({ held, over: { lane, place } }: { readonly held: Drag; readonly over: DragOver }) {
  const t = useMessages(movingMessages)
  const tStatus = useMessages(statusMessages)
  const tEffect = useMessages(effectMessages)
  const cards = place === null ? [] : columnOf(place.anchor).filter(({ id }) => !held.ids.has(id))
  const at = cards.findIndex(({ id }) => id === place?.anchor)
  const effect = held.plans.get(lane)?.moves[0]?.move.effect
  const text =
    at >= 0
      ? t('position', {
          lane: tStatus(lane),
          place: at + (place?.side === 'below' ? 2 : 1),
          count: cards.length + held.cards.length,
        })
      : effect === undefined
        ? tStatus(lane)
        : `${tStatus(lane)}: ${tEffect(effect)}`
  return (
    <p className={css.tip} role="status">
      <span>{text}</span>
      <span>
        <Kbd keys="escape" /> {t('cancels')}
      </span>
    </p>
  )
}
