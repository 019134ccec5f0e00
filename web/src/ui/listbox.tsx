import { Check } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { Input } from './field.tsx'
import { matchOptions, nextOption } from './listbox-keys.ts'
import type { Option } from './listbox-keys.ts'
import menu from './menu.module.css'
import { uiMessages } from './messages.ts'
import css from './select.module.css'

interface Props {
  readonly label: string
  readonly options: readonly Option[]
  readonly value: string | null
  readonly isSearchable: boolean
  readonly renderOption: (option: Option) => ReactNode
  readonly onChoose: (value: string) => void
}

/**
 * A list of options for the keyboard. The focus stays on one element, which names the active option for screen readers.
 */
export function Listbox({ label, options, value, isSearchable, renderOption, onChoose }: Props) {
  const t = useMessages(uiMessages)
  const id = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex((option) => option.value === value),
    ),
  )
  const list = useRef<HTMLDivElement>(null)
  const shown = matchOptions(options, typed)
  const at = Math.min(active, shown.length - 1)
  useEffect(() => {
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const choose = (option: Option | undefined): void => {
    if (option !== undefined && (option.disabledReason ?? null) === null) onChoose(option.value)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const next = nextOption(event.key, at, shown.length)
    if (next !== null) setActive(next)
    else if (event.key === 'Enter' || (event.key === ' ' && !isSearchable)) choose(shown[at])
    else return
    event.preventDefault()
  }
  const activeId = `${id}-${at}`
  return (
    <>
      {isSearchable && (
        <div className={css.search}>
          <Input
            role="combobox"
            aria-expanded
            aria-label={label}
            aria-controls={`${id}-list`}
            aria-activedescendant={activeId}
            placeholder={t('searchList')}
            value={typed}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setTyped(event.target.value)
              setActive(0)
            }}
          />
        </div>
      )}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className={css.list}
        {...(isSearchable ? {} : { 'aria-activedescendant': activeId, tabIndex: 0, onKeyDown })}
      >
        {shown.map((option, nth) => (
          <div
            key={option.value}
            id={`${id}-${nth}`}
            role="option"
            tabIndex={-1}
            aria-selected={option.value === value}
            aria-disabled={(option.disabledReason ?? null) !== null || undefined}
            data-active={nth === at}
            className={menu.item}
            onPointerMove={() => setActive(nth)}
            onClick={() => choose(option)}
            onKeyDown={onKeyDown}
          >
            <span className={menu.text}>
              {renderOption(option)}
              {option.disabledReason != null && <span className={menu.note}>{option.disabledReason}</span>}
            </span>
            {option.note !== undefined && (
              <span className={css.note} title={option.note}>
                {option.note}
              </span>
            )}
            {option.value === value && <Check className={menu.check} />}
          </div>
        ))}
        {shown.length === 0 && <p className={menu.empty}>{t('noMatch')}</p>}
      </div>
    </>
  )
}
