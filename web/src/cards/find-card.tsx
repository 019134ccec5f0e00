/** An input that finds a card of a board. The server searches, so the board may have any number of cards. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Popover as Radix } from 'radix-ui'
import { useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { findCardsQuery } from '../api/queries.ts'
import type { ListedCard } from '../api/queries.ts'
import { useSettled } from '../app-state/use-settled.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { nextOption } from '../ui/listbox-keys.ts'
import menu from '../ui/menu.module.css'
import { StatusIcon } from '../ui/status-icon.tsx'
import css from './find-card.module.css'
import { findMessages } from './find-messages.ts'
import { statusMessages } from './status-messages.ts'

export type FoundCard = Pick<ListedCard, 'id' | 'title' | 'status'>

/** How long the person must stop typing before the search starts. */
const SETTLED_MS = 120

interface Props {
  readonly board: string
  /** Cards that are not offered, such as cards that are already chosen. */
  readonly without: ReadonlySet<string>
  readonly onChoose: (card: FoundCard) => void
  /** Called when the person presses Backspace in the empty input. */
  readonly onBack?: () => void
  readonly label: string
  readonly id?: string
  readonly placeholder?: string
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: true | undefined
}

export function FindCard({ board, without, onChoose, onBack, label, placeholder, ...control }: Props) {
  const t = useMessages(findMessages)
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(0)
  const text = useSettled(typed.trim(), SETTLED_MS)
  const { data, isFetching, isPlaceholderData } = useQuery({
    ...findCardsQuery(board, text),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  // Whether the search is still running. Until it ends, only matching cards of the previous search are shown, so that
  // Enter never chooses an unintended card.
  const isLate = isPlaceholderData || text !== typed.trim()
  const found = (data ?? []).filter(
    ({ id, title }) => !without.has(id) && (!isLate || title.toLowerCase().includes(typed.trim().toLowerCase())),
  )
  const at = Math.min(active, found.length - 1)
  const choose = (card: FoundCard | undefined): void => {
    if (card === undefined) return
    onChoose(card)
    setTyped('')
    setActive(0)
    setIsOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return
    const next = nextOption(event.key, isOpen ? at : -1, found.length)
    if (event.key === 'Backspace' && typed === '') onBack?.()
    else if (event.key === 'Escape' && isOpen) setIsOpen(false)
    else if (event.key === 'ArrowDown' && !isOpen) setIsOpen(true)
    else if (next !== null && isOpen && !/Home|End/.test(event.key)) setActive(next)
    else if (event.key === 'Enter' && isOpen && !event.metaKey && !event.ctrlKey) choose(found[at])
    else return
    if (event.key === 'Backspace') return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Radix.Root open={isOpen} onOpenChange={setIsOpen}>
      <Radix.Anchor asChild>
        <input
          {...control}
          role="combobox"
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && found.length > 0 ? `${listId}-${at}` : undefined}
          autoComplete="off"
          className={css.input}
          placeholder={placeholder ?? t('placeholder')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
            setIsOpen(true)
          }}
          onClick={() => setIsOpen(true)}
          onBlur={() => setIsOpen(false)}
          onKeyDown={onKeyDown}
        />
      </Radix.Anchor>
      <Radix.Portal>
        <Radix.Content
          className={menu.panel}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          // The focus stays in the input. The input names the active card for screen readers.
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onPointerDown={(event) => event.preventDefault()}
        >
          <div role="listbox" id={listId} aria-label={t('results')} aria-busy={isFetching}>
            {found.map((card, nth) => (
              <Found
                key={card.id}
                id={`${listId}-${nth}`}
                card={card}
                isActive={nth === at}
                onPoint={() => setActive(nth)}
                onChoose={() => choose(card)}
              />
            ))}
          </div>
          {found.length === 0 && (
            <p className={menu.empty}>{t(isFetching || isLate || data === undefined ? 'searching' : 'none')}</p>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface FoundProps {
  readonly id: string
  readonly card: FoundCard
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

function Found({ id, card: { title, status }, isActive, onPoint, onChoose }: FoundProps) {
  const t = useMessages(statusMessages)
  return (
    // The input handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      data-active={isActive}
      className={menu.item}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <StatusIcon status={status} label={t(status)} />
      <span className={css.title}>{title}</span>
    </div>
  )
}
