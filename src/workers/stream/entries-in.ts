/** Entries that many programs tell alike, each in a field of its own: nothing where that is missing or empty. */
import type { Entry } from './entry.ts'

export const sessionIn = (id: unknown): readonly Entry[] =>
  typeof id === 'string' && id !== '' ? [{ kind: 'session', id }] : []

export const saidIn = (text: unknown, { goesOn = false } = {}): readonly Entry[] =>
  typeof text === 'string' && text !== '' ? [{ kind: 'said', text, ...(goesOn ? { goesOn } : {}) }] : []

/** Of the whole turn; what a program does not tell is null. */
export const spent = (
  inputTokens: number | null,
  outputTokens: number | null,
  costUsd: number | null = null,
): Entry => ({
  kind: 'usage',
  whole: true,
  usage: { inputTokens, outputTokens, costUsd },
})
