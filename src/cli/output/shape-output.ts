/** Converts the output for programs: selected fields, readable times, or only ids. */
import { BoardError } from '../../core/errors.ts'
import { nearest } from '../../util/nearest.ts'
import type { OutputChoice } from '../common-flags.ts'

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function shapeJson(value: unknown, { fields, iso }: Pick<OutputChoice, 'fields' | 'iso'>): unknown {
  const chosen = fields === null ? value : selectFields(value, fields)
  return iso ? withIsoTimes(plain(chosen)) : chosen
}

/** Converts a value to plain data, so that the fields of errors and of views with `toJSON` can be read. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown

/** Selects fields of an object, or of each object in a list. `task.status` is a field of the object `task`. */
function selectFields(value: unknown, fields: readonly string[]): unknown {
  if (!Array.isArray(value) && !isObject(value)) return value
  const rows = (Array.isArray(value) ? value : [value]).map(plain).filter(isObject)
  for (const field of fields)
    if (rows.length > 0 && !rows.some((row) => has(row, field))) throw unknownField(field, rows)
  const picked = rows.map((row) => Object.fromEntries(fields.map((field) => [field, valueAt(row, field) ?? null])))
  return Array.isArray(value) ? picked : picked[0]
}

const valueAt = (row: Fields, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), row)

const has = (row: Fields, path: string): boolean => valueAt(row, path) !== undefined

function unknownField(field: string, rows: readonly Fields[]): BoardError {
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const meant = nearest(field, known)
  const hint = meant === null ? `The fields are ${known.join(', ')}.` : `Did you mean ${meant}?`
  return new BoardError('invalid_input', `--json: unknown field ${field}. ${hint}`, {
    details: { usage: 'unknown_field', fields: known },
  })
}

const TIME_KEY = /(?:At|Until)$|^(?:at|until|since|now)$/
/** The smallest number that is converted to a time. Smaller numbers are durations or counts. */
const FIRST_TIME = Date.UTC(2000, 0, 1)
/**
 * The largest number that is converted to a time. The metadata of a card may contain larger numbers under such names.
 */
const LAST_TIME = 8_640_000_000_000_000

/** Converts times to ISO text. A time is a number of milliseconds since 1970 in a field such as `createdAt`. */
function withIsoTimes(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withIsoTimes(item, key))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withIsoTimes(item, name)]))
  if (typeof value !== 'number' || !TIME_KEY.test(key.split('.').at(-1) ?? '')) return value
  if (value < FIRST_TIME || value > LAST_TIME) return value
  return new Date(value).toISOString()
}

const ID_KEYS = ['id', 'slug', 'name'] as const

/**
 * The ids in an answer. Null means that the answer has no ids. If a command changed several cards, the cards that
 * failed are left out.
 */
export function idsOf(value: unknown): readonly string[] | null {
  if (Array.isArray(value))
    return value.filter((row) => !isObject(row) || row['ok'] !== false).flatMap((row) => idsOf(row) ?? [])
  if (!isObject(value)) return null
  const id = ID_KEYS.map((key) => value[key]).find((one) => typeof one === 'string')
  if (typeof id === 'string') return [id]
  return isObject(value['task']) ? idsOf(value['task']) : null
}
