/**
 * Corrects common mistakes of models in arguments: a single value for a list, JSON text for an object or a list, a
 * number or boolean in quotes, snake_case names, `parent_id` for `parent`, another name for the card, and null or an
 * empty text for a missing value. Other invalid arguments are refused.
 */
import { BoardError } from '../core/errors.ts'
import type { Arguments, JsonSchema } from './tool.ts'

type Properties = Readonly<Record<string, JsonSchema>>

/** Other names for the argument `task`. */
const CARD_NAMES = new Set(['id', 'card', 'cardId'])

export function normalizeArguments(given: unknown, properties: Properties): Arguments {
  const whole = toObject(given ?? {})
  if (whole === null)
    throw new BoardError('invalid_input', 'The arguments must be one object. Nothing was changed.', { details: {} })
  const values = new Map<string, unknown>()
  for (const [name, value] of Object.entries(whole)) {
    if (isAbsent(value)) continue
    const known = nameOf(name, properties)
    if (values.has(known))
      throw new BoardError('invalid_input', `${known} was given twice. Nothing was changed. Give it once.`, {
        details: { field: known },
      })
    values.set(known, normalize(value, properties[known]))
  }
  return Object.fromEntries(values)
}

const isAbsent = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

function nameOf(name: string, properties: Properties): string {
  const isKnown = (argument: string): boolean => Object.hasOwn(properties, argument)
  if (isKnown(name)) return name
  const camel = name.replaceAll(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  const bare = camel.replace(/Ids?$/, '')
  const card = CARD_NAMES.has(camel) ? 'task' : camel
  return [camel, bare, `${bare}s`, card].find(isKnown) ?? name
}

function normalize(value: unknown, schema: JsonSchema | undefined): unknown {
  switch (schema?.type) {
    case 'array':
      return toList(value).map((item) => normalize(item, schema.items))
    case 'object':
      return toObject(value) ?? value
    case 'integer':
    case 'number':
      return typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value
    case 'boolean':
      return asBoolean(value)
    case 'string':
      return toText(value, schema)
    case undefined:
      return value
  }
}

/**
 * Converts a value to text. If the text must be one of several choices, differences in case, spaces and hyphens are
 * ignored.
 */
function toText(value: unknown, { enum: choices }: JsonSchema): unknown {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || choices === undefined) return value
  const plain = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return choices.includes(plain) ? plain : value
}

function toList(value: unknown): readonly unknown[] {
  const found = typeof value === 'string' ? parse(value) : value
  return Array.isArray(found) ? found : [value]
}

function toObject(value: unknown): Arguments | null {
  const found = typeof value === 'string' ? parse(value) : value
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Arguments) : null
}

function asBoolean(value: unknown): unknown {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim().toLowerCase() : null
  if (text === 'true' || text === '1' || text === 'yes') return true
  return text === 'false' || text === '0' || text === 'no' ? false : value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
