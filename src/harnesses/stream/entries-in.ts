/** Entries that many programs report in a field of their own; none if the field is missing or empty. */
import type { Entry } from './entry.ts'

export const sessionIn = (id: unknown): readonly Entry[] =>
  typeof id === 'string' && id !== '' ? [{ kind: 'session', id }] : []

export const saidIn = (text: unknown, { goesOn = false } = {}): readonly Entry[] =>
  typeof text === 'string' && text !== '' ? [{ kind: 'said', text, ...(goesOn ? { goesOn } : {}) }] : []

/** The total of a turn. An amount that the program does not report is null. */
export const spent = (
  inputTokens: number | null,
  outputTokens: number | null,
  costUsd: number | null = null,
): Entry => ({
  kind: 'usage',
  of: 'turn',
  usage: { inputTokens, outputTokens, costUsd },
})
