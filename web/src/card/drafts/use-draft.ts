/** A text that a person is typing. It is stored in this browser until it is sent. */
import { useCallback, useState } from 'react'
import { useStored } from './use-stored.ts'

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

export interface DraftText {
  readonly text: string
  readonly setText: (text: string) => void
  readonly clear: () => void
}

/** Returns the draft with this name. The name describes the purpose of the text, such as `t_4k2m9x4vda:comment`. */
export function useDraft(name: string): DraftText {
  const [text, setText] = useState(() => readDraft(name))
  const { discard } = useStored(
    text,
    useCallback((draft: string | null) => keepDraft(name, draft ?? ''), [name]),
  )
  const clear = useCallback(() => {
    setText('')
    discard()
  }, [discard])
  return { text, setText, clear }
}
