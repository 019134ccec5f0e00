/** Passages in a few words, the same wherever they are told. */
import { cut } from '../../core/text.ts'
import type { Failure, Usage } from './entry.ts'
import { asObject, asText } from '../../util/json-fields.ts'
import type { Passage } from './passage.ts'

const GIST_LENGTH = 300
const WORD_LENGTH = 60

/** What says most of what a tool was asked for, in this order. */
const TELLING = `command cmd file_path filePath absolute_path notebook_path path dir_path
  pattern query url summary reason title description prompt message body`.split(/\s+/)

/** The board's own tools go by their own names, however a program spells where they come from. */
export const toolName = (tool: string): string => tool.replace(/^(?:mcp_{1,2})?muster(?:_{1,2}|[./])/, '')

/** What a tool was given, in a line. */
export function gistOf(input: unknown): string {
  if (typeof input === 'string') return shortly(withoutShell(input), GIST_LENGTH)
  const fields = asObject(input)
  if (fields === null) return input == null ? '' : shortly(wordOf(input), GIST_LENGTH)
  for (const name of TELLING) {
    const value = fields[name]
    const text = Array.isArray(value) ? value.filter((part) => typeof part === 'string').join(' ') : asText(value)
    if (text !== null && text.trim() !== '') return shortly(withoutShell(text), GIST_LENGTH)
  }
  const words = Object.entries(fields).map(([name, value]) => `${name}=${wordOf(value)}`)
  return shortly(words.slice(0, 10).join(' '), GIST_LENGTH)
}

function wordOf(value: unknown): string {
  if (typeof value === 'string') return shortly(value, WORD_LENGTH)
  if (Array.isArray(value)) return `[${value.length}]`
  return typeof value === 'object' && value !== null ? '{…}' : String(value)
}

/** A command, without the shell that a program wraps around it. */
function withoutShell(command: string): string {
  const found = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh -l?c (['"])([^]*)\1$/.exec(command)
  const inner = found?.[2]
  return inner === undefined || inner.includes(found?.[1] ?? '') ? command : inner
}

/** Its first line that says something, and `…` where that is not all. */
function shortly(text: string, length: number): string {
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

/** Why it waits or has failed: the kind of it, and what the program said. */
export function causeWords({ cause, message }: { readonly cause: Failure['kind']; readonly message: string }): string {
  const kind = CAUSES[cause]
  return [kind, shortly(message, GIST_LENGTH)].filter((part) => part !== '').join(': ')
}

/** Empty where nothing is known to be spent. */
export function usageWords({ inputTokens, outputTokens, costUsd }: Usage): string {
  if (!inputTokens && !outputTokens && !costUsd) return ''
  const tokens = [
    ...(inputTokens === null ? [] : [`${inputTokens} tokens in`]),
    ...(outputTokens === null ? [] : [`${outputTokens} out`]),
  ]
  return [...tokens, ...(costUsd === null || costUsd === 0 ? [] : [`$${Number(costUsd.toFixed(4))}`])].join(', ')
}

/** A passage as one line; null where it says nothing of the work. */
export function briefly(passage: Passage): string | null {
  switch (passage.kind) {
    case 'said':
    case 'printed':
      return passage.text.trim().split('\n').at(-1)?.trim() || null
    case 'called':
      return `${toolName(passage.tool)} ${gistOf(passage.input)}`.trim()
    case 'returned':
      return passage.ok ? null : `failed: ${shortly(passage.text, GIST_LENGTH)}`
    case 'changed':
      return `changed ${passage.path}`
    case 'waits':
      return `waits: ${causeWords(passage)}`
    case 'failed':
      return `failed: ${causeWords(passage)}`
    case 'turn':
    case 'used':
    case 'omitted':
    case 'unknown':
      return null
  }
}
