import type { InboxItem } from '../api/queries.ts'

const LINES = 6

/** Returns the end of the last error of a stopped card. Null means that the card has no error. */
export function lastError({ reason, question }: Pick<InboxItem, 'reason' | 'question'>): string | null {
  const params: Readonly<Record<string, unknown>> = reason?.params ?? {}
  const text = typeof params['error'] === 'string' ? params['error'] : question
  const lines = (text ?? '').trimEnd().split('\n')
  const shown = lines.slice(-LINES).join('\n').trim()
  return shown === '' ? null : shown
}
