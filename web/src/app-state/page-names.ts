/** The names in the title of the browser tab. The most recently opened part comes first: a card before its board. */
import { useEffect } from 'react'
import { makeValue } from './value.ts'

interface PageName {
  readonly text: string
}

const names = makeValue<readonly PageName[]>([])

export const pageNames = { get: names.get, follow: names.follow }

/**
 * Adds the name to the title of the tab while the component is shown. Null means that the component has no name yet.
 */
export function usePageName(text: string | null): void {
  useEffect(() => {
    if (text === null) return undefined
    const name: PageName = { text }
    names.set([...names.get(), name])
    return () => names.set(names.get().filter((one) => one !== name))
  }, [text])
}
