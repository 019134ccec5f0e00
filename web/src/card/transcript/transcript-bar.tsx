/** Shows the bar above the transcript: search, filter, attempt, and a menu with further actions. */
import { ArrowDown, ArrowUp, ChevronDown, Ellipsis, Search, X } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import { Choices } from '../../ui/switch.tsx'
import { transcriptMessages } from './messages.ts'
import css from './transcript-bar.module.css'
import type { RowsShown } from './use-rows.ts'

/** The server lists at most this many matches. */
const MATCHES_MAX = 5_000

interface SearchProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onText: (text: string) => void
  /** The number of matches. Null means that the number is not known yet. */
  readonly matches: number | null
  /** The index of the current match. Null means that no match is current. */
  readonly at: number | null
  readonly onStep: (by: 1 | -1) => void
}

function SearchField({ field, text, onText, matches, at, onStep }: SearchProps) {
  const t = useMessages(transcriptMessages)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape' && text !== '') onText('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const shown = { at: (at ?? -1) + 1, n: matches ?? 0 }
  return (
    <div className={css.search} role="search">
      <Search />
      <input
        ref={field}
        className={css.input}
        aria-label={t('search')}
        placeholder={t('searchShort')}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <>
          <span className={css.count} aria-live="polite">
            {matches !== null &&
              (matches === 0 ? t('foundNone') : t(matches >= MATCHES_MAX ? 'foundMany' : 'found', shown))}
          </span>
          <IconButton size="small" icon={<ArrowUp />} label={t('previousMatch')} onClick={() => onStep(-1)} />
          <IconButton size="small" icon={<ArrowDown />} label={t('nextMatch')} onClick={() => onStep(1)} />
          <IconButton size="small" icon={<X />} label={t('clear')} onClick={() => onText('')} />
        </>
      )}
    </div>
  )
}

interface Props extends SearchProps {
  readonly show: RowsShown
  readonly onShow: (show: RowsShown) => void
  readonly attempt: number
  /** Builds the menu of attempts. It is empty if the card has only one attempt. */
  readonly attempts: readonly MenuEntry[]
  readonly more: readonly MenuEntry[]
}

const FILTERS = ['all', 'messages', 'changes'] as const

export function TranscriptBar({ show, onShow, attempt, attempts, more, ...search }: Props) {
  const t = useMessages(transcriptMessages)
  const filters: readonly MenuEntry[] = FILTERS.map((key) => ({
    key,
    label: t(key),
    isChecked: show === key,
    onChoose: () => onShow(key),
  }))
  return (
    <div className={css.bar}>
      <SearchField {...search} />
      <span className={css.wide}>
        {show === 'raw' ? (
          <Button onClick={() => onShow('all')}>{t('backToRows')}</Button>
        ) : (
          <Choices
            label={t('show')}
            current={show}
            onChange={onShow}
            choices={FILTERS.map((key) => ({ key, label: t(key) }))}
          />
        )}
      </span>
      {attempts.length > 0 && (
        <span className={css.wide}>
          <Menu align="end" entries={attempts}>
            <Button>
              {t('attempt', { attempt })}
              <ChevronDown />
            </Button>
          </Menu>
        </span>
      )}
      <span className={css.wide}>
        <Menu align="end" entries={more}>
          <IconButton look="normal" icon={<Ellipsis />} label={t('menu')} />
        </Menu>
      </span>
      <span className={css.narrow}>
        <Menu
          align="end"
          entries={[
            { key: 'show', heading: t('show') },
            ...filters,
            ...(attempts.length === 0 ? [] : [{ key: 'attempts', heading: t('attempts') }, ...attempts]),
            { key: 'line', line: true },
            ...more,
          ]}
        >
          <IconButton look="normal" icon={<Ellipsis />} label={t('menu')} />
        </Menu>
      </span>
    </div>
  )
}
