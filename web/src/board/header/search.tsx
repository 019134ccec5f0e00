/**
 * The search field of the board. It filters the cards as the person types. Enter opens the palette with the same text.
 */
import { Search as SearchIcon, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { commonMessages } from '../../i18n/common-messages.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { SearchButton } from '../../page/page-header.tsx'
import { useQueryField } from '../../routes/use-query-field.ts'
import { useShortcuts } from '../../shortcuts/use-shortcut.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { keyMessages } from '../keyboard/messages.ts'
import css from './header.module.css'
import { headerMessages } from './messages.ts'

/** How long the person must stop typing before the board is read again. */
const SETTLED_MS = 150

interface Props {
  readonly isAll: boolean
  readonly text: string
  readonly onChange: (text: string | null) => void
}

export function Search({ isAll, text, onChange }: Props) {
  const t = useMessages(headerMessages)
  const tCommon = useMessages(commonMessages)
  const tKeys = useMessages(keyMessages)
  const [, setPalette] = useQueryField('find')
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(text, onChange)
  const label = t(isAll ? 'searchAll' : 'search')
  const focus = (): void => {
    // A narrow board has no room for a search field, so `/` opens the palette.
    if (input.current?.offsetParent == null) setPalette('1', { adds: false })
    else input.current.focus()
  }
  useShortcuts([{ keys: '/', name: label, group: tKeys('group'), onPress: focus }])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') setPalette(typed.trim() === '' ? '1' : typed.trim(), { adds: false })
    else if (event.key === 'Escape' && typed !== '') setTyped('')
    else if (event.key === 'Escape') input.current?.blur()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <SearchButton className={css.narrowSearch} />
      <div className={css.search} role="search">
        <SearchIcon />
        <input
          ref={input}
          className={css.searchInput}
          aria-label={label}
          placeholder={tCommon('find')}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {typed === '' ? (
          <span className={css.keys} aria-hidden="true">
            <Kbd keys="mod+k" />
          </span>
        ) : (
          <button type="button" className={css.clear} aria-label={t('clearSearch')} onClick={() => setTyped('')}>
            <X />
          </button>
        )}
      </div>
    </>
  )
}

/**
 * The typed text. It is written to the URL when the person stops typing. If the URL changes for another reason, the
 * field shows the text of the URL.
 */
function useTyped(text: string, onChange: (text: string | null) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(text)
  const [known, setKnown] = useState(text)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  if (text !== known) {
    setKnown(text)
    if (text !== typed.trim()) setTyped(text)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (next: string): void => {
    setTyped(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(next.trim() === '' ? null : next.trim()), next === '' ? 0 : SETTLED_MS)
  }
  return [typed, type]
}
