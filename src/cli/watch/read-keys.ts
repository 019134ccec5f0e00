/** Turns the text from a keyboard into key presses. */
import type { Keyboard } from '../output/keyboard.ts'
import { KeyReader } from './keys.ts'
import type { Key } from './keys.ts'

/**
 * After this time without more input, an Escape counts as the Escape key. Over a slow connection, the rest of a
 * sequence may arrive late.
 */
const ESCAPE_MS = 50

export function readKeys(keyboard: Keyboard, onKey: (key: Key) => void): { stop(): void } {
  const reader = new KeyReader()
  let timer: NodeJS.Timeout | undefined
  const report = (keys: readonly Key[]): void => {
    for (const key of keys) onKey(key)
  }
  const stopListening = keyboard.listen((text) => {
    clearTimeout(timer)
    report(reader.take(text))
    if (reader.isWaiting) timer = setTimeout(() => report(reader.flush()), ESCAPE_MS)
  })
  let isStopped = false
  return {
    stop: () => {
      if (isStopped) return
      isStopped = true
      clearTimeout(timer)
      stopListening()
    },
  }
}
