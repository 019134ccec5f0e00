/**
 * Replaces react-remove-scroll, with which Radix stops the page behind a dialog from scrolling. That package adds a
 * style element, which the content security policy refuses. This replacement does nothing: the dashboard never scrolls
 * as a whole, and Radix already blocks the pointer behind a dialog.
 */
import type { ElementType, ReactNode } from 'react'

interface Props {
  readonly as?: ElementType
  readonly children?: ReactNode
  readonly allowPinchZoom?: boolean
  readonly shards?: unknown
}

export const RemoveScroll = ({ as: Wrapper = 'div', children }: Props) => <Wrapper>{children}</Wrapper>
