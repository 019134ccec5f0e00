/** Shows the actions that are legal now: likely actions as buttons, all other actions in a menu. */
import { Ellipsis, MessageSquare } from 'lucide-react'
import { useContext } from 'react'
import { accepts } from '../../../../src/core/status.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { useShortcuts } from '../../shortcuts/use-shortcut.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import type { TabProps } from '../card-details.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import { formOf, nameOf } from './action-forms.ts'
import { ACTION_ICONS } from './action-icons.tsx'
import css from './actions.module.css'
import { footerActions } from './legal-actions.ts'
import type { CardAction } from './legal-actions.ts'
import { actionMessages } from './messages.ts'
import { RunNotice } from './run-notice.tsx'
import { useCardActions } from './use-card-actions.tsx'
import { isInCard } from '../frame/is-in-card.ts'

interface Props extends TabProps {
  readonly onComment: () => void
  readonly onChanges: () => void
  /** Moves the focus to the field for the answer, which is beside the question. */
  readonly onAnswer: () => void
}

const DANGER: ReadonlySet<CardAction> = new Set(['stop', 'delete'])
/** The actions that are never the primary button of the footer. */
const QUIET: ReadonlySet<CardAction> = new Set(['stop', 'hold', 'reopen', 'request-changes', 'complete'])
/** `a` answers or approves. */
const KEYED: ReadonlySet<CardAction> = new Set(['approve', 'answer'])

export function CardFooter({ card, onComment, onChanges, onAnswer }: Props) {
  const t = useMessages(actionMessages)
  const isReadOnly = useContext(ReadOnlyReason) !== null
  const { start, busy } = useCardActions()
  const { shown, more } = footerActions(card)
  const run = (action: CardAction): void => (action === 'answer' ? onAnswer() : start(action))
  const keyed = shown.find((action) => KEYED.has(action))
  const group = t('actions')
  useShortcuts([
    ...(keyed === undefined
      ? []
      : [{ keys: 'a', name: t(`do_${keyed}`), group, comesFirst: isInCard, onPress: () => run(keyed) }]),
    ...(isReadOnly ? [] : [{ keys: 'r', name: t('comment'), group, comesFirst: isInCard, onPress: onComment }]),
  ])
  const labelOf = (action: CardAction): string =>
    `${t(nameOf(action, card))}${formOf(action, card) === null ? '' : '…'}`
  const entries: readonly MenuEntry[] = more.map((action) => ({
    key: action,
    label: labelOf(action),
    icon: ACTION_ICONS[action],
    isDanger: DANGER.has(action),
    onChoose: () => run(action),
  }))
  return (
    <>
      <RunNotice card={card} />
      {shown.map((action, at) => (
        <Button
          key={action}
          look={at === 0 && !QUIET.has(action) ? 'primary' : 'normal'}
          isDanger={DANGER.has(action)}
          writes
          isBusy={busy === action}
          className={css.likely}
          icon={ACTION_ICONS[action]}
          onClick={() => run(action)}
        >
          <span className={css.label}>{labelOf(action)}</span>
          {action === keyed && (
            <span className={css.key}>
              <Kbd keys="a" />
            </span>
          )}
        </Button>
      ))}
      {!isReadOnly && (
        <Button className={css.comment} aria-label={t('comment')} icon={<MessageSquare />} onClick={onComment}>
          <span className={css.wide}>{t('comment')}</span>
        </Button>
      )}
      {accepts(card.status, 'approve') && (
        <Button look="ghost" className={css.changes} onClick={onChanges}>
          {t('viewChanges')}
        </Button>
      )}
      {entries.length > 0 && (
        <Menu entries={entries} align="end">
          <IconButton className={css.push} look="normal" icon={<Ellipsis />} label={t('more')} />
        </Menu>
      )}
    </>
  )
}
