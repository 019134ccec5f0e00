import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import css from './tooltip.module.css'

interface Props {
  readonly text: ReactNode
  /** The element that the tooltip describes. It must be focusable. */
  readonly children: ReactNode
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
}

export const Tooltip = ({ text, children, side = 'bottom' }: Props) => (
  <Radix.Root>
    <Radix.Trigger asChild>{children}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content className={css.tooltip} side={side} sideOffset={6} collisionPadding={8}>
        {text}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/** Shows tooltips of neighbouring elements without a delay. */
export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
)
