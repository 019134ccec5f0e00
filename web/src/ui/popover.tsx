import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './popover.module.css'

interface Props {
  /** The button that opens the popover. */
  readonly trigger: ReactNode
  readonly label: string
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  readonly className?: string | undefined
}

export const Popover = ({ trigger, label, children, align = 'start', isOpen, onOpenChange, className }: Props) => (
  <Radix.Root
    {...(isOpen === undefined ? {} : { open: isOpen })}
    {...(onOpenChange === undefined ? {} : { onOpenChange })}
  >
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        className={classNames(css.popover, className)}
        aria-label={label}
        align={align}
        sideOffset={4}
        collisionPadding={8}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)
