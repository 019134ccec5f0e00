/** Stores text that a person has not sent yet, so that it survives a reload or a lost connection. */
import { useCallback, useState } from 'react'

const PREFIX = 'muster-inbox-draft:'

function readDraft(key: string): string {
  return localStorage.getItem(`${PREFIX}${key}`) ?? ''
}

function keepDraft(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(`${PREFIX}${key}`)
    else localStorage.setItem(`${PREFIX}${key}`, text)
  } catch {
    // The storage is full, but the text is still in its field.
  }
}

/** Returns the draft of an item. `use` names its purpose, because one item can have several texts. */
export function useDraft(
  item: string,
  use: 'answer' | 'changes' | 'unblock',
): readonly [string, (text: string) => void] {
  const key = `${item}:${use}`
  const [text, setText] = useState(() => readDraft(key))
  const change = useCallback(
    (next: string) => {
      setText(next)
      keepDraft(key, next)
    },
    [key],
  )
  return [text, change]
}
