import { useCallback } from 'react'

/** Returns the ref of the element that gets the focus when a dialog opens: `<Input ref={useFirstFocus()} />`. */
export const useFirstFocus = (): ((element: HTMLElement | null) => void) =>
  useCallback((element) => element?.focus(), [])
