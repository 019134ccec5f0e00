/** A control that chooses one of several options. A long list has a text field that filters it. */
import { ChevronsUpDown } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import type { Option } from './listbox-keys.ts'
import { Listbox } from './listbox.tsx'
import popover from './popover.module.css'
import css from './select.module.css'

export interface SelectProps {
  readonly options: readonly Option[]
  readonly value: string | null
  readonly onChange: (value: string) => void
  /** The accessible name of the control, if no label element names it. */
  readonly label: string
  readonly placeholder?: string
  readonly id?: string
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: true | undefined
  readonly renderOption?: (option: Option) => ReactNode
  /** Lists with at least this many options have a search field. */
  readonly searchFrom?: number
}

export function Select({
  options,
  value,
  onChange,
  label,
  placeholder = '',
  renderOption = (option) => option.label,
  searchFrom = 8,
  ...rest
}: SelectProps) {
  const [isOpen, setIsOpen] = useState(false)
  const chosen = options.find((option) => option.value === value)
  return (
    <Radix.Root open={isOpen} onOpenChange={setIsOpen}>
      <Radix.Trigger asChild>
        <button type="button" {...rest} className={css.button} aria-label={labelOf(label, chosen, rest.id)}>
          <span className={classNames(css.value, chosen === undefined && css.placeholder)}>
            {chosen === undefined ? placeholder : renderOption(chosen)}
          </span>
          <ChevronsUpDown className={css.chevron} />
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={classNames(popover.popover, css.panel)}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
        >
          <Listbox
            label={label}
            options={options}
            value={value}
            isSearchable={options.length >= searchFrom}
            renderOption={renderOption}
            onChoose={(next) => {
              setIsOpen(false)
              onChange(next)
            }}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The accessible name of the control, if no label element names it. */
const labelOf = (label: string, chosen: Option | undefined, id: string | undefined): string | undefined =>
  id === undefined ? `${label}: ${chosen?.label ?? ''}` : undefined

/** A select whose list always has a search field. */
export const Combobox = (props: Omit<SelectProps, 'searchFrom'>) => <Select {...props} searchFrom={0} />
