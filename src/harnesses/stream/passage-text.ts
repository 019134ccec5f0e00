/** Short texts for passages, the same on every surface. */
import { cut } from '../../core/text.ts'
import type { Failure, Usage } from './entry.ts'
import { asObject, asText } from '../../util/json-fields.ts'
import type { Passage } from './passage.ts'

const LINE_LENGTH = 300
const VALUE_LENGTH = 60

/** The input fields that describe a tool call best, in this order. */
const DESCRIPTIVE = `command cmd file_path filePath absolute_path notebook_path path dir_path
  pattern query url summary reason title description prompt message body`.split(/\s+/)

/** Removes the server prefix that programs put before the board's tools. */
export const toolName = (tool: string): string => tool.replace(/^(?:mcp_{1,2})?muster(?:_{1,2}|[./])/, '')

/** The input of a tool call, in one line. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return firstLineCut(withoutShell(input), LINE_LENGTH)
  const fields = asObject(input)
  if (fields === null) return input == null ? '' : firstLineCut(valueText(input), LINE_LENGTH)
  for (const name of DESCRIPTIVE) {
    const value = fields[name]
    const text = Array.isArray(value) ? value.filter((part) => typeof part === 'string').join(' ') : asText(value)
    if (text !== null && text.trim() !== '') return firstLineCut(withoutShell(text), LINE_LENGTH)
  }
  const words = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`)
  return firstLineCut(words.slice(0, 10).join(' '), LINE_LENGTH)
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return firstLineCut(value, VALUE_LENGTH)
  if (Array.isArray(value)) return `[${value.length}]`
  return typeof value === 'object' && value !== null ? '{…}' : String(value)
}

/** Removes the shell that some programs wrap around a command. */
function withoutShell(command: string): string {
  const found = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh -l?c (['"])([^]*)\1$/.exec(command)
  const inner = found?.[2]
  return inner === undefined || inner.includes(found?.[1] ?? '') ? command : inner
}

/** The first line that is not empty, with `…` if there is more. */
function firstLineCut(text: string, length: number): string {
  const trimmed = text.slice(0, 16 * length).trim()
  const first = trimmed.split('\n', 1)[0]?.trimEnd() ?? ''
  if (first.length > length) return `${cut(first, length - 1)}…`
  return first.length < trimmed.length ? `${first} …` : first
}

const CAUSES: Readonly<Record<Failure['kind'], string>> = {
  rate_limited: 'rate limit',
  billing: 'billing',
  auth: 'login refused',
  context_overflow: 'context too long',
  permission: 'not permitted',
  turn_limit: 'turn limit',
  other: '',
}

/** Why the program waits or has failed. */
export function failureText({ cause, message }: { readonly cause: Failure['kind']; readonly message: string }): string {
  const kind = CAUSES[cause]
  return [kind, firstLineCut(message, LINE_LENGTH)].filter((part) => part !== '').join(': ')
}

/** Empty if no usage is known. */
export function usageText({ inputTokens, outputTokens, costUsd }: Usage): string {
  if (!inputTokens && !outputTokens && !costUsd) return ''
  const tokens = [
    ...(inputTokens === null ? [] : [`${inputTokens} tokens in`]),
    ...(outputTokens === null ? [] : [`${outputTokens} out`]),
  ]
  return [...tokens, ...(costUsd === null || costUsd === 0 ? [] : [`$${Number(costUsd.toFixed(4))}`])].join(', ')
}

/** A passage as one line; null if it does not describe work. */
export function passageLine(passage: Passage): string | null {
  switch (passage.kind) {
    case 'said':
    case 'printed':
      return passage.text.trim().split('\n').at(-1)?.trim() || null
    case 'called':
      return `${toolName(passage.tool)} ${inputText(passage.input)}`.trim()
    case 'returned':
      return passage.ok ? null : `failed: ${firstLineCut(passage.text, LINE_LENGTH)}`
    case 'changed':
      return `changed ${passage.path}`
    case 'waits':
      return `waits: ${failureText(passage)}`
    case 'failed':
      return `failed: ${failureText(passage)}`
    case 'turn':
    case 'used':
    case 'omitted':
    case 'unknown':
      return null
  }
}
