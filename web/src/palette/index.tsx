/**
 * The palette: one field that finds cards on all boards, pages, views and agents, and that runs actions of the page.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import { useSettled } from '../app-state/use-settled.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { createValue } from '../routes/create-address.ts'
import { ShortcutLayer } from '../shortcuts/use-shortcut.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { nextOption } from '../ui/listbox-keys.ts'
import { groupEntries } from './entries.ts'
import type { Entry } from './entries.ts'
import { EntryList } from './entry-list.tsx'
import { paletteMessages } from './messages.ts'
import css from './palette.module.css'
import { searchQuery } from './search.ts'
import { createEntry, useCardEntry, useEntries } from './use-entries.tsx'

interface Props {
  /** The initial text. */
  readonly text: string
  readonly onClose: () => void
}

/** How long the person must stop typing before the search starts. */
const SETTLED_MS = 120

export function Palette({ text, onClose }: Props) {
  const t = useMessages(paletteMessages)
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={css.scrim}>
          <ShortcutLayer>
            <Radix.Content className={css.palette} aria-describedby={undefined}>
              <Radix.Title className={css.title}>{t('title')}</Radix.Title>
              <Content text={text} onClose={onClose} />
            </Radix.Content>
          </ShortcutLayer>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Content({ text: given, onClose }: Props) {
  const t = useMessages(paletteMessages)
  const language = useLanguage()
  const id = useId()
  const [typed, setTyped] = useState(given)
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const { found, isSearching, error } = useFound(typed)
  const groups = groupEntries([...found, ...useEntries(), ...useCreate(typed)], typed)
  const shown = groups.flatMap(({ entries }) => entries)
  const at = Math.min(active, shown.length - 1)
  const choose = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    onClose()
    // The dialog closes first and returns the focus, so that the action works on the card that had the focus.
    setTimeout(entry.onChoose, 0)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const next = /^(Home|End)$/.test(event.key) ? null : nextOption(event.key, at, shown.length)
    if (next !== null) setActive(next)
    else if (event.key === 'Enter') choose(shown[at])
    else return
    event.preventDefault()
  }
  useEffect(() => {
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, typed])
  return (
    <>
      <div className={css.field}>
        <Search />
        <input
          // The person opened the palette to type, so the field gets the focus.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          role="combobox"
          className={css.input}
          aria-label={t('title')}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown.length === 0 ? undefined : `${id}-${at}`}
          autoComplete="off"
          spellCheck={false}
          placeholder={t('placeholder')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={t('results')}
        aria-busy={isSearching}
        className={css.list}
      >
        <EntryList id={id} groups={groups} active={at} onPoint={setActive} onChoose={choose} />
      </div>
      <p className={css.status} role="status">
        {error !== null
          ? t('failed', { why: describeError(error, language) })
          : isSearching
            ? t('searching')
            : typed.trim() !== '' && found.length === 0 && shown.length <= 1
              ? t('none')
              : ''}
      </p>
      <p className={css.keys} aria-hidden="true">
        <Kbd keys="arrowup" />
        <Kbd keys="arrowdown" /> {t('keyMove')} <Kbd keys="enter" /> {t('keyOpen')} <Kbd keys="escape" />{' '}
        {t('keyClose')}
      </p>
    </>
  )
}

/**
 * Returns the cards that the server finds. Until the answer arrives, shows the matching cards of the previous answer.
 */
function useFound(typed: string) {
  const [, navigate] = useLocation()
  const entry = useCardEntry(navigate)
  const text = useSettled(typed.trim(), SETTLED_MS)
  const wanted = typed.trim()
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...searchQuery(text),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
  const isLate = isPlaceholderData || text !== wanted
  const cards = wanted === '' ? [] : (data ?? [])
  return {
    found: cards
      .filter(({ title }) => !isLate || title.toLowerCase().includes(wanted.toLowerCase()))
      .map((card) => entry(card, 'cards')),
    isSearching: wanted !== '' && (isFetching || text !== wanted),
    error: wanted === '' ? null : error,
  }
}

function useCreate(typed: string): readonly Entry[] {
  const t = useMessages(paletteMessages)
  const [, navigate] = useLocation()
  const title = typed.trim()
  // The URL is read again, because it has changed since the palette closed.
  const open = (): void => {
    const query = new URLSearchParams(location.search)
    query.set('create', createValue({ title }))
    navigate(`${location.pathname}?${String(query)}`)
  }
  return title === '' ? [] : [createEntry(t('createTitled', { title }), open)]
}
