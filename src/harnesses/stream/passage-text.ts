/** Formats passages of a transcript as short texts. The texts are the same on every surface. */
import { cut } from '../../core/text.ts'
import type { Failure, Usage } from './entry.ts'
import { asObject, asText } from '../../util/json-fields.ts'
import type { Passage } from './passage.ts'
import { toolAction } from './tool-action.ts'
import { toolName } from './tool-name.ts'

const LINE_LENGTH = 300
const VALUE_LENGTH = 60

/** The input fields that describe a tool call. The best description comes first. */
const DESCRIPTIVE = `command cmd file_path filePath absolute_path notebook_path path dir_path
  pattern query url summary reason title description prompt message body`.split(/\s+/)

/** Formats the input of a tool call as one line. */
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

/** Returns the whole input, if `line` does not show all of it. */
export function inputDetail(input: unknown, line: string): string | null {
  if (typeof input === 'string') return beyond(withoutShell(input), line)
  const fields = asObject(input)
  if (fields === null || Object.keys(fields).length === 0) return null
  const [[name, value] = ['', null], ...others] = Object.entries(fields).filter(([key]) => key !== 'description')
  if (typeof value === 'string' && others.length === 0) return beyond(withoutShell(value), line)
  const command = asText(fields['command'])
  return name === 'command' && command !== null && others.every(([, one]) => typeof one !== 'string')
    ? beyond(withoutShell(command), line)
    : jsonOf(input)
}

const beyond = (text: string, line: string): string | null => (text.trim() === line ? null : text)

/** Formats a value as JSON. Returns null if the value is nested too deeply. */
function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value, null, 2)
  } catch {
    return null
  }
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

/** Returns the first line that is not empty, with `…` if the text continues. */
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

/** Explains why the program waits or has failed. */
export function failureText({ cause, message }: { readonly cause: Failure['kind']; readonly message: string }): string {
  const kind = CAUSES[cause]
  return [kind, firstLineCut(message, LINE_LENGTH)].filter((part) => part !== '').join(': ')
}

/** Describes a usage. The result is empty if no number is known. */
export function usageText({ inputTokens, outputTokens, costUsd }: Usage): string {
  if (!inputTokens && !outputTokens && !costUsd) return ''
  const tokens = [
    ...(inputTokens === null ? [] : [`${inputTokens} tokens in`]),
    ...(outputTokens === null ? [] : [`${outputTokens} out`]),
  ]
  return [...tokens, ...(costUsd === null || costUsd === 0 ? [] : [`$${Number(costUsd.toFixed(4))}`])].join(', ')
}

/** A step of an agent in one line. The kind `failed` means that a tool call or the program failed. */
export interface Step {
  readonly kind: 'said' | 'called' | 'changed' | 'waited' | 'failed'
  readonly text: string
}

/** Returns a passage as a step. Returns null if the passage does not describe work. */
export function passageStep(passage: Passage): Step | null {
  switch (passage.kind) {
    case 'said':
    case 'printed': {
      const text = passage.text.trim().split('\n').at(-1)?.trim() ?? ''
      return text === '' ? null : { kind: 'said', text }
    }
    case 'called':
      return { kind: 'called', text: callText(passage) }
    case 'returned':
      return passage.ok ? null : { kind: 'failed', text: firstLineCut(passage.text, LINE_LENGTH) }
    case 'changed':
      return { kind: 'changed', text: passage.path }
    case 'waits':
      return { kind: 'waited', text: failureText(passage) }
    case 'failed':
      return { kind: 'failed', text: failureText(passage) }
    case 'turn':
    case 'used':
    case 'omitted':
    case 'unknown':
      return null
  }
}

/** Formats a call. A command looks as in a terminal, because the name of its tool adds nothing. */
function callText({ tool, input }: Extract<Passage, { readonly kind: 'called' }>): string {
  const text = inputText(input)
  return toolAction(tool) === 'run' && text !== '' ? `$ ${text}` : `${toolName(tool)} ${text}`.trim()
}

const PREFIXES: Readonly<Record<Step['kind'], string>> = {
  said: '',
  called: '',
  changed: 'changed ',
  waited: 'waits: ',
  failed: 'failed: ',
}

/** Formats a step as a line for people. */
export const stepLine = ({ kind, text }: Step): string => `${PREFIXES[kind]}${text}`
