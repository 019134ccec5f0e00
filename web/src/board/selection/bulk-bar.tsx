/** Shows the actions for all selected cards. */
import {
  Archive,
  ChartNoAxesColumnIncreasing,
  Ellipsis,
  MoveRight,
  Pause,
  Tag,
  Trash2,
  UserRound,
  X,
} from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { useValue } from '../../app-state/use-value.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { keyNames } from '../../shortcuts/key-names.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { inBoardOrder } from '../actions/known-cards.ts'
import { canHold } from '../actions/card-entries.ts'
import { dialogRequest, openMenuAt } from '../actions/requests.ts'
import type { MenuKind } from '../actions/requests.ts'
import type { CardSteps } from '../actions/use-card-steps.ts'
import css from './bulk-bar.module.css'
import { selectionMessages } from './messages.ts'
import { clearSelection, selection } from './selection.ts'

export function BulkBar({ steps }: { readonly steps: CardSteps }) {
  const t = useMessages(selectionMessages)
  const { ids } = useValue(selection)
  if (ids.size === 0) return null
  const cards = () => inBoardOrder(ids)
  const open = (kind: MenuKind) => (event: MouseEvent<HTMLElement>) =>
    openMenuAt(
      event.currentTarget,
      kind,
      cards().map(({ id }) => id),
    )
  return (
    <div className={css.bar} role="toolbar" aria-label={t('bar', { n: ids.size })}>
      <b className={css.count} aria-live="polite">
        {t('selected', { n: ids.size })}
      </b>
      <Item icon={<MoveRight />} onClick={open('move')} keys="m">
        {t('move')}
      </Item>
      <Item icon={<UserRound />} onClick={open('assign')}>
        {t('assign')}
      </Item>
      <Item isWide icon={<Tag />} onClick={() => dialogRequest.set({ kind: 'labels', cards: cards() })}>
        {t('label')}
      </Item>
      <Item isWide icon={<ChartNoAxesColumnIncreasing />} onClick={open('priority')}>
        {t('priority')}
      </Item>
      <Item
        isWide
        icon={<Pause />}
        onClick={() => steps.send(cards().filter(canHold), { name: 'hold', input: {} }, 'held')}
      >
        {t('hold')}
      </Item>
      <Item isWide icon={<Archive />} onClick={() => steps.send(cards(), { name: 'archive', input: {} }, 'archived')}>
        {t('archive')}
      </Item>
      <Item isWide isDanger icon={<Trash2 />} onClick={() => steps.remove(cards())}>
        {t('delete')}
      </Item>
      <Button
        className={css.narrow}
        size="small"
        look="ghost"
        isIcon
        icon={<Ellipsis />}
        aria-label={t('more')}
        onClick={open('card')}
      />
      <span className={css.line} />
      <Button
        size="small"
        look="ghost"
        icon={<X />}
        aria-label={`${t('clear')}: ${keyNames('escape').join(' ')}`}
        onClick={clearSelection}
      >
        <Kbd keys="escape" />
      </Button>
    </div>
  )
}

interface ItemProps {
  readonly icon: ReactNode
  readonly children: string
  readonly onClick: (event: MouseEvent<HTMLElement>) => void
  readonly keys?: string
  readonly isDanger?: boolean
  /** Whether the button appears only on wide boards. The menu always contains the action. */
  readonly isWide?: boolean
}

const Item = ({ icon, children, onClick, keys, isDanger = false, isWide = false }: ItemProps) => (
  <Button
    {...(isWide && { className: css.wide })}
    size="small"
    look="ghost"
    writes
    isDanger={isDanger}
    icon={icon}
    onClick={onClick}
  >
    {children}
    {keys !== undefined && <Kbd keys={keys} />}
  </Button>
)
