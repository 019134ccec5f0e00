/** Shows the buttons on the card under the pointer. The keys `x` and `m` and the menu key do the same. */
import { Check, Ellipsis, MoveRight } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Kbd } from '../ui/kbd.tsx'
import { actionMessages } from './actions/messages.ts'
import { openMenuAt } from './actions/requests.ts'
import type { MenuKind } from './actions/requests.ts'
import css from './card-tools.module.css'
import { selection, toggled } from './selection/selection.ts'

const hover = matchMedia('(hover: hover)')

/** Whether the pointer can hover. On a touch screen it cannot, so every card shows its menu button. */
export const hasHover = (): boolean => hover.matches

interface Props {
  readonly id: string
  readonly title: string
  readonly isSelected: boolean
}

/** Opens a menu. The menu of a selected card applies to all selected cards. */
const open = (id: string, kind: MenuKind) => (event: MouseEvent<HTMLElement>) => {
  const { ids } = selection.get()
  openMenuAt(event.currentTarget, kind, ids.has(id) ? [...ids] : [id])
}

export function CardTools({ id, title, isSelected }: Props) {
  const t = useMessages(actionMessages)
  const tip = (text: string, keys: string) => (
    <>
      {text} <Kbd keys={keys} />
    </>
  )
  const select = t(isSelected ? 'deselect' : 'select')
  return (
    <span className={css.tools}>
      <IconButton
        size="small"
        tabIndex={-1}
        icon={<Check />}
        label={select}
        tip={tip(select, 'x')}
        aria-pressed={isSelected}
        onClick={() => selection.set(toggled(selection.get(), id))}
      />
      <IconButton
        size="small"
        tabIndex={-1}
        icon={<MoveRight />}
        label={t('moveMenu')}
        tip={tip(t('moveTo'), 'm')}
        onClick={open(id, 'move')}
      />
      <IconButton
        size="small"
        tabIndex={-1}
        icon={<Ellipsis />}
        label={t('more', { title })}
        tip={t('moreTip')}
        onClick={open(id, 'card')}
      />
    </span>
  )
}

export function TouchMenu({ id, title }: Pick<Props, 'id' | 'title'>) {
  const t = useMessages(actionMessages)
  return (
    <button
      type="button"
      className={classNames(css.touch)}
      aria-label={t('more', { title })}
      onClick={open(id, 'card')}
    >
      <Ellipsis />
    </button>
  )
}
