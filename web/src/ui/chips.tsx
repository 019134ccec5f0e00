import { RadioGroup } from 'radix-ui'
import css from './chips.module.css'
import type { Choice } from './switch.tsx'

interface Props<Key extends string> {
  readonly label: string
  readonly choices: readonly Choice<Key>[]
  readonly current: Key
  readonly onChange: (key: Key) => void
}

/**
 * A group of filters, of which one is current. It wraps to several lines, so it may have more entries than `Choices`.
 */
export const Chips = <Key extends string>({ label, choices, current, onChange }: Props<Key>) => (
  <RadioGroup.Root
    className={css.chips}
    aria-label={label}
    value={current}
    onValueChange={(value) => {
      const chosen = choices.find(({ key }) => key === value)
      if (chosen !== undefined) onChange(chosen.key)
    }}
  >
    {choices.map(({ key, label: name }) => (
      <RadioGroup.Item key={key} value={key} className={css.chip}>
        {name}
      </RadioGroup.Item>
    ))}
  </RadioGroup.Root>
)
