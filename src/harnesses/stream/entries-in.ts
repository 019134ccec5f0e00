/**
 * Makes entries from fields that many programs have in their JSON output. If a field is missing or empty, the result
 * has no entries.
 */
import { asObject, asText, objectIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import type { Entry, ReadLine } from './entry.ts'

/**
 * Reads a stream of JSON objects. Lines that are not JSON are passed to `prose`. By default, such lines are ignored.
 */
export const jsonLineReader =
  (entriesIn: (fields: Fields) => readonly Entry[], prose: (line: string) => readonly Entry[] = () => []): ReadLine =>
  (line) => {
    const fields = objectIn(line)
    return fields === null ? prose(line) : entriesIn(fields)
  }

export const sessionIn = (id: unknown): readonly Entry[] =>
  typeof id === 'string' && id !== '' ? [{ kind: 'session', id }] : []

export const messageIn = (text: unknown, { isContinuation = false } = {}): readonly Entry[] =>
  typeof text === 'string' && text !== '' ? [{ kind: 'said', text, ...(isContinuation ? { isContinuation } : {}) }] : []

/** The file that a tool call changes. Undefined for tools that do not write, and for calls without an id. */
export function fileChange(
  writingTools: readonly string[],
  { tool, input, call }: { readonly tool: string; readonly input: unknown; readonly call: unknown },
): { readonly path: string; readonly call: string } | undefined {
  if (!writingTools.includes(tool) || typeof call !== 'string') return undefined
  const fields = asObject(input) ?? {}
  const path = asText(fields['file_path']) ?? asText(fields['notebook_path']) ?? asText(fields['path'])
  return path === null ? undefined : { path, call }
}

/** The total usage of a turn. A number is null if the program does not report it. */
export const turnUsage = (
  inputTokens: number | null,
  outputTokens: number | null,
  costUsd: number | null = null,
): Entry => ({
  kind: 'usage',
  of: 'turn',
  usage: { inputTokens, outputTokens, costUsd },
})
