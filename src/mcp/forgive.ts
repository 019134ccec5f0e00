/**
 * Arguments as models send them, made into what was meant: a lone string where a list is asked for, an object or a list
 * as JSON text, a number or a yes in quotes, snake_case. Nothing is guessed beyond that: what still does not fit is
 * refused by the operation's own schema, with the name of the argument.
 */
import type { Arguments, JsonSchema } from './tool.ts'

/** What a card may be called in an argument. */
const CARD_NAMES = new Set(['id', 'taskId', 'cardId', 'card'])

export function forgive(given: unknown, properties: Readonly<Record<string, JsonSchema>>): Arguments {
  const whole = asObject(given)
  if (whole === null) return {}
  const entries = Object.entries(whole)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => {
      const known = nameOf(name, properties)
      return [known, meant(value, properties[known])] as const
    })
  return Object.fromEntries(entries)
}

function nameOf(name: string, properties: Readonly<Record<string, JsonSchema>>): string {
  if (Object.hasOwn(properties, name)) return name
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return CARD_NAMES.has(camel) ? 'task' : camel
}

function meant(value: unknown, schema: JsonSchema | undefined): unknown {
  switch (schema?.type) {
    case 'array':
      return (Array.isArray(value) ? value : asList(value)).map((item) => meant(item, schema.items))
    case 'object':
      return asObject(value) ?? value
    case 'integer':
    case 'number':
      return typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value
    case 'boolean':
      return asBoolean(value)
    case 'string':
      return typeof value === 'number' ? String(value) : value
    case undefined:
      return value
  }
}

function asList(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return [value]
  if (value.trim() === '') return []
  const parsed = parse(value)
  return Array.isArray(parsed) ? parsed : [value]
}

function asObject(value: unknown): Arguments | null {
  const found = typeof value === 'string' ? parse(value) : value
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Arguments) : null
}

function asBoolean(value: unknown): unknown {
  const word = typeof value === 'number' || typeof value === 'string' ? String(value).trim().toLowerCase() : null
  if (word === 'true' || word === '1' || word === 'yes') return true
  return word === 'false' || word === '0' || word === 'no' ? false : value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
