/** Converts the texts of a query string to the types in the input of an operation. */
import * as z from 'zod'
import type { AnyOperation } from '../../operations/shared/perform.ts'

interface Shape {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
}

type Properties = Readonly<Record<string, Shape>>

const known = new Map<string, Properties>()

/** The JSON Schema of each field of the input. */
export async function fieldsOf(operation: Pick<AnyOperation, 'name' | 'schemas'>): Promise<Properties> {
  const before = known.get(operation.name)
  if (before !== undefined) return before
  const { input } = await operation.schemas()
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  known.set(operation.name, properties as Properties)
  return properties as Properties
}

/** Converts the query. An unknown field stays text, so that the validation of the operation can name it. */
export function inputFromQuery(
  query: Readonly<Record<string, readonly string[]>>,
  fields: Properties,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).map(([key, texts]) => [key, valueOf(texts, fields[key])]))
}

function valueOf(texts: readonly string[], shape: Shape | undefined): unknown {
  const list = shape === undefined ? undefined : variants(shape).find(({ type }) => type === 'array')
  if (list !== undefined)
    return texts.flatMap((text) => text.split(',')).map((text) => scalarOf(text, typesOf(list.items ?? {})))
  return scalarOf(texts.at(-1) ?? '', shape === undefined ? new Set() : typesOf(shape))
}

/** Converts one text. An empty text means null if the field may be null: `?assignee=` lists unassigned cards. */
function scalarOf(text: string, types: ReadonlySet<string>): unknown {
  if (text === '' && types.has('null')) return null
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (types.has('boolean') && (text === 'true' || text === '1' || text === '')) return true
  if (types.has('boolean') && (text === 'false' || text === '0')) return false
  return types.has('object') && text.startsWith('{') ? objectOf(text) : text
}

/**
 * Parses a field that is an object and is sent as JSON. Text that is not JSON stays text, which the validation then
 * refuses.
 */
function objectOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const variants = (shape: Shape): readonly Shape[] => shape.anyOf?.flatMap(variants) ?? [shape]

const typesOf = (shape: Shape): ReadonlySet<string> => new Set(variants(shape).flatMap(({ type = [] }) => type))
