/** A text that a person is typing. It is stored in this browser until it is sent. */
import { useCallback, useEffect, useRef, useState } from 'react'

const keyOf = (name: string): string => `muster-draft:${name}`

const readDraft = (name: string): string => localStorage.getItem(keyOf(name)) ?? ''

function keepDraft(name: string, text: string): void {
  try {
    if (text.trim() === '') localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), text)
  } catch {
    // The storage is full, but the text is still in its field.
  }
}

/** A draft is stored when the person stops typing. Storing a megabyte at each key press would be slow. */
const SETTLED_MS = 250

export interface DraftText {
  readonly text: string
  readonly setText: (text: string) => void
  readonly clear: () => void
}

/** Returns the draft with this name. The name describes the purpose of the text, such as `t_4k2m9x4vda:comment`. */
export function useDraft(name: string): DraftText {
  const [text, setText] = useState(() => readDraft(name))
  const latest = useRef({ name, text })
  useEffect(() => {
    latest.current = { name, text }
    const timer = setTimeout(() => keepDraft(name, text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [name, text])
  useEffect(() => {
    const keep = (): void => keepDraft(latest.current.name, latest.current.text)
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  const clear = useCallback(() => {
    setText('')
    latest.current = { name, text: '' }
    keepDraft(name, '')
  }, [name])
  return { text, setText, clear }
}
