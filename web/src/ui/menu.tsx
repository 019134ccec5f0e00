/** A menu of actions, which a button or a right click opens. */
import { Check } from 'lucide-react'
import { ContextMenu as RadixContext, DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './menu.module.css'

export type MenuEntry =
  | {
      readonly key: string
      readonly label: ReactNode
      readonly icon?: ReactNode
      /** A shortcut or a note at the end of the row. */
      readonly end?: ReactNode
      readonly isDanger?: boolean
      readonly isChecked?: boolean
      /** Why the entry cannot be chosen now. Null means that it can be chosen. */
      readonly disabledReason?: string | null
      readonly onChoose: () => void
    }
  | { readonly key: string; readonly heading: ReactNode }
  | { readonly key: string; readonly line: true }

interface MenuProps {
  readonly entries: readonly MenuEntry[]
  /** The button that opens the menu. */
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  /** Whether the menu is open, if shortcuts can also open it. Without this prop, the menu manages its own state. */
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
}

type Parts = Pick<typeof Radix, 'Item' | 'Label' | 'Separator'>

function Entries({ entries, Item, Label, Separator }: Parts & { readonly entries: readonly MenuEntry[] }) {
  return entries.map((entry) => {
    if ('line' in entry) return <Separator key={entry.key} className={css.line} />
    if ('heading' in entry)
      return (
        <Label key={entry.key} className={css.heading}>
          {entry.heading}
        </Label>
      )
    const { disabledReason = null } = entry
    return (
      <Item
        key={entry.key}
        className={classNames(css.item, entry.isDanger === true && css.danger)}
        disabled={disabledReason !== null}
        onSelect={entry.onChoose}
      >
        {entry.icon}
        <span className={css.text}>
          {entry.label}
          {disabledReason !== null && <span className={css.note}>{disabledReason}</span>}
        </span>
        {entry.end !== undefined && <span className={css.end}>{entry.end}</span>}
        {entry.isChecked === true && <Check className={css.check} />}
      </Item>
    )
  })
}

export const Menu = ({ entries, children, align = 'start', isOpen, onOpenChange }: MenuProps) => (
  <Radix.Root
    {...(isOpen === undefined ? {} : { open: isOpen })}
    {...(onOpenChange === undefined ? {} : { onOpenChange })}
  >
    <Radix.Trigger asChild>{children}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content className={css.panel} align={align} sideOffset={4} collisionPadding={8} loop>
        <Entries entries={entries} Item={Radix.Item} Label={Radix.Label} Separator={Radix.Separator} />
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

interface MenuAtProps {
  readonly entries: readonly MenuEntry[]
  /** The menu opens beside this rectangle of the window. */
  readonly at: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly label: string
  readonly onClose: () => void
  /** Moves the focus after the menu has closed. */
  readonly onFocusBack: () => void
}

/** A menu that opens beside any rectangle, so that all cards of a board can share it. */
export const MenuAt = ({ entries, at, label, onClose, onFocusBack }: MenuAtProps) => (
  <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()} modal={false}>
    <Radix.Trigger asChild>
      <span aria-hidden className={css.anchor} style={{ left: at.x, top: at.y, width: at.width, height: at.height }} />
    </Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        className={css.panel}
        aria-label={label}
        align="start"
        sideOffset={4}
        collisionPadding={8}
        loop
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          onFocusBack()
        }}
      >
        <Entries entries={entries} Item={Radix.Item} Label={Radix.Label} Separator={Radix.Separator} />
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/** A menu that opens after a right click on `children`, or a long press. */
export const ContextMenu = ({ entries, children }: Pick<MenuProps, 'entries' | 'children'>) => (
  <RadixContext.Root>
    <RadixContext.Trigger asChild>{children}</RadixContext.Trigger>
    <RadixContext.Portal>
      <RadixContext.Content className={css.panel} collisionPadding={8} loop>
        <Entries
          entries={entries}
          Item={RadixContext.Item}
          Label={RadixContext.Label}
          Separator={RadixContext.Separator}
        />
      </RadixContext.Content>
    </RadixContext.Portal>
  </RadixContext.Root>
)
