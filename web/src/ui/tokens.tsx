/** Short values in an input: labels, skills, files, cards. Each value has a button that removes it. */
import { X } from 'lucide-react'
import { useState } from 'react'
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { classNames } from './class-names.ts'
import { uiMessages } from './messages.ts'
import css from './tokens.module.css'

interface TokenProps {
  readonly children: ReactNode
  /** The name of the value, for the label of its remove button. */
  readonly name: string
  readonly icon?: ReactNode
  /** A note after the value, such as a size. */
  readonly note?: ReactNode
  readonly isBad?: boolean
  /** Removes the value. Undefined while it cannot be removed. */
  readonly onRemove?: (() => void) | undefined
}

export function Token({ children, name, icon, note, isBad = false, onRemove }: TokenProps) {
  const t = useMessages(uiMessages)
  return (
    <span className={classNames(css.token, isBad && css.bad)}>
      {icon}
      <span className={css.value} title={name}>
        {children}
      </span>
      {note !== undefined && <span className={css.note}>{note}</span>}
      {onRemove !== undefined && (
        <button type="button" className={css.remove} aria-label={t('remove', { name })} onClick={onRemove}>
          <X />
        </button>
      )}
    </span>
  )
}

/** Shows tokens inside a frame that looks like an input. */
export const TokenFrame = ({ children }: { readonly children: ReactNode }) => (
  <div className={css.frame}>{children}</div>
)

export const TokenList = ({ children }: { readonly children: ReactNode }) => <div className={css.list}>{children}</div>

interface TokenInputProps {
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly placeholder?: string
}

/** Splits text into values, without those that are already in the list. */
const added = (values: readonly string[], text: string): readonly string[] => [
  ...new Set([
    ...values,
    ...text
      .split(/[,\n]/)
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ]),
]

/**
 * An input for several values. Enter, a comma or leaving the input adds the typed value. Backspace removes the last
 * value.
 */
export function TokenInput({ values, onChange, placeholder, ...control }: TokenInputProps) {
  const [typed, setTyped] = useState('')
  const add = (text: string): void => {
    setTyped('')
    const next = added(values, text)
    if (next.length !== values.length) onChange(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return
    if ((event.key === 'Enter' && !event.metaKey && !event.ctrlKey && typed.trim() !== '') || event.key === ',')
      event.preventDefault()
    if (event.key === 'Enter' || event.key === ',') add(typed)
    else if (event.key === 'Backspace' && typed === '') onChange(values.slice(0, -1))
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const text = event.clipboardData.getData('text')
    if (!/[,\n]/.test(text)) return
    event.preventDefault()
    add(text)
  }
  return (
    <TokenFrame>
      {values.map((value) => (
        <Token key={value} name={value} onRemove={() => onChange(values.filter((one) => one !== value))}>
          {value}
        </Token>
      ))}
      <input
        {...control}
        className={css.input}
        autoComplete="off"
        placeholder={values.length === 0 ? placeholder : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add(typed)}
      />
    </TokenFrame>
  )
}
