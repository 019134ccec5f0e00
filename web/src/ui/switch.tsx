import { RadioGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import css from './switch.module.css'

interface SwitchProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
}

export const Switch = ({ isOn, onChange, children }: SwitchProps) => (
  <button type="button" role="switch" aria-checked={isOn} className={css.switch} onClick={() => onChange(!isOn)}>
    <span className={css.track} />
    {children}
  </button>
)

export interface Choice<Key extends string> {
  readonly key: Key
  readonly label: ReactNode
}

interface ChoicesProps<Key extends string> {
  readonly label: string
  readonly choices: readonly Choice<Key>[]
  readonly current: Key
  readonly onChange: (key: Key) => void
}

/** A few options side by side, of which one is selected. */
export const Choices = <Key extends string>({ label, choices, current, onChange }: ChoicesProps<Key>) => (
  <RadioGroup.Root
    className={css.group}
    aria-label={label}
    value={current}
    orientation="horizontal"
    onValueChange={(value) => {
      const chosen = choices.find(({ key }) => key === value)
      if (chosen !== undefined) onChange(chosen.key)
    }}
  >
    {choices.map(({ key, label: name }) => (
      <RadioGroup.Item key={key} value={key} className={css.choice}>
        {name}
      </RadioGroup.Item>
    ))}
  </RadioGroup.Root>
)
