import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { cardPath } from '../../routes/paths.ts'

/** Whether the person is typing. Then the focus stays in the text field. */
const isTyping = (): boolean =>
  document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLTextAreaElement

/**
 * Moves the focus to the open card, so that Tab reaches its parts. When the card closes, the focus returns to the card
 * on the board.
 */
export function useDrawerFocus(board: string, card: string): RefObject<HTMLElement | null> {
  const drawer = useRef<HTMLElement>(null)
  useEffect(() => {
    const isInDialog = document.activeElement?.closest('[role=dialog]') != null
    if (!isTyping() && !isInDialog) drawer.current?.focus({ preventScroll: true })
    return () => {
      // The focus moves in the next frame, because the screen behind may be hidden until this component is removed.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        document.querySelector<HTMLElement>(`main a[href^="${CSS.escape(cardPath(board, card))}"]`)?.focus()
      })
    }
  }, [board, card])
  return drawer
}
