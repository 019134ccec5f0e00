/**
 * Validates JSON by the part of JSON Schema that checks need. An unknown keyword is an error: without it, values would
 * be accepted that the author of the schema wants to reject. See
 * docs/contributing/decisions/0015-own-json-schema-and-sha-256.md.
 */
type Schema = boolean | Readonly<Record<string, unknown>>
type Rule = (given: unknown, value: unknown, at: string) => string | null

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] as const
/** Keywords that describe the schema and not the value. */
const ANNOTATIONS = new Set(['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isObject(value)
const isSchemas = (value: unknown): value is Schema[] =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema)
const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

function typeOf(value: unknown): (typeof TYPES)[number] {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : 'object'
}

/** Whether two values are equal as JSON. The order of keys does not matter. */
function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => same(item, other[at]))
  if (!isObject(one) || !isObject(other)) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]))
}

const limit =
  (measure: (value: unknown) => number | null, holds: (size: number, bound: number) => boolean, words: string): Rule =>
  (given, value, at) => {
    const size = measure(value)
    return size === null || holds(size, Number(given)) ? null : `${at} ${words} ${String(given)}`
  }

const amount = (value: unknown): number | null => (isNumber(value) ? value : null)
const length = (value: unknown): number | null => (typeof value === 'string' ? Array.from(value).length : null)
const items = (value: unknown): number | null => (Array.isArray(value) ? value.length : null)
const members = (value: unknown): number | null => (isObject(value) ? Object.keys(value).length : null)
const atLeast = (size: number, bound: number): boolean => size >= bound
const atMost = (size: number, bound: number): boolean => size <= bound

interface Keyword {
  /** Whether the keyword's value is valid. */
  readonly accepts: (given: unknown) => boolean
  readonly rule: Rule
  /** The nested schemas in the keyword's value. */
  readonly within?: (given: unknown) => readonly unknown[]
}

const isType = (given: unknown): boolean => TYPES.some((type) => type === given)
const wanted = (given: unknown): readonly unknown[] => (Array.isArray(given) ? (given as unknown[]) : [given])
const isA = (value: unknown, type: unknown): boolean =>
  typeOf(value) === type || (type === 'number' && typeOf(value) === 'integer')
const firstFault = (faults: Iterable<string | null>): string | null => {
  for (const fault of faults) if (fault !== null) return fault
  return null
}

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: {
    accepts: (given) => wanted(given).length > 0 && wanted(given).every(isType),
    rule: (given, value, at) =>
      wanted(given).some((type) => isA(value, type))
        ? null
        : `${at} is ${typeOf(value)}, not ${wanted(given).join(' or ')}`,
  },
  enum: {
    accepts: Array.isArray,
    rule: (given, value, at) =>
      wanted(given).some((one) => same(one, value)) ? null : `${at} is not one of ${JSON.stringify(given)}`,
  },
  const: {
    accepts: () => true,
    rule: (given, value, at) => (same(given, value) ? null : `${at} is not ${JSON.stringify(given)}`),
  },
  required: {
    accepts: isNames,
    rule: (given, value, at) => {
      const missing = isObject(value) && isNames(given) ? given.find((name) => !Object.hasOwn(value, name)) : undefined
      return missing === undefined ? null : `${at} has no ${missing}`
    },
  },
  properties: {
    accepts: (given) => isObject(given) && Object.values(given).every(isSchema),
    within: (given) => Object.values(given as Record<string, unknown>),
    rule: (given, value, at) =>
      isObject(value)
        ? firstFault(
            Object.entries(given as Record<string, Schema>).map(([key, schema]) =>
              Object.hasOwn(value, key) ? valueFault(schema, value[key], `${at}.${key}`) : null,
            ),
          )
        : null,
  },
  items: {
    accepts: isSchema,
    within: (given) => [given],
    rule: (given, value, at) =>
      Array.isArray(value)
        ? firstFault(value.map((item, index) => valueFault(given as Schema, item, `${at}[${index}]`)))
        : null,
  },
  minimum: { accepts: isNumber, rule: limit(amount, atLeast, 'is less than') },
  maximum: { accepts: isNumber, rule: limit(amount, atMost, 'is more than') },
  exclusiveMinimum: { accepts: isNumber, rule: limit(amount, (size, bound) => size > bound, 'is not more than') },
  exclusiveMaximum: { accepts: isNumber, rule: limit(amount, (size, bound) => size < bound, 'is not less than') },
  minLength: { accepts: isCount, rule: limit(length, atLeast, 'is shorter than') },
  maxLength: { accepts: isCount, rule: limit(length, atMost, 'is longer than') },
  minItems: { accepts: isCount, rule: limit(items, atLeast, 'has fewer items than') },
  maxItems: { accepts: isCount, rule: limit(items, atMost, 'has more items than') },
  minProperties: { accepts: isCount, rule: limit(members, atLeast, 'has fewer properties than') },
  maxProperties: { accepts: isCount, rule: limit(members, atMost, 'has more properties than') },
  uniqueItems: {
    accepts: (given) => typeof given === 'boolean',
    rule: (given, value, at) =>
      given === true &&
      Array.isArray(value) &&
      value.some((one, index) => value.slice(0, index).some((two) => same(one, two)))
        ? `${at} holds the same item twice`
        : null,
  },
  pattern: {
    accepts: isPattern,
    rule: (given, value, at) =>
      typeof value !== 'string' || new RegExp(String(given), 'u').test(value)
        ? null
        : `${at} does not match ${String(given)}`,
  },
  allOf: {
    accepts: isSchemas,
    within: (given) => given as Schema[],
    rule: (given, value, at) => firstFault((given as Schema[]).map((schema) => valueFault(schema, value, at))),
  },
  anyOf: {
    accepts: isSchemas,
    within: (given) => given as Schema[],
    rule: (given, value, at) =>
      (given as Schema[]).some((schema) => valueFault(schema, value, at) === null)
        ? null
        : `${at} matches no schema of anyOf`,
  },
}

function isPattern(given: unknown): boolean {
  if (typeof given !== 'string') return false
  try {
    return new RegExp(given, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/**
 * Checks the keys that `properties` does not name. This function needs two keywords of the schema, so it is separate
 * from the others.
 */
function additionalFault(schema: Readonly<Record<string, unknown>>, value: unknown, at: string): string | null {
  const more = schema['additionalProperties']
  if (more === undefined || !isObject(value)) return null
  const named = isObject(schema['properties']) ? schema['properties'] : {}
  const others = Object.keys(value).filter((key) => !Object.hasOwn(named, key))
  if (more === false) return others[0] === undefined ? null : `${at} must not have ${others[0]}`
  return firstFault(others.map((key) => valueFault(more as Schema, value[key], `${at}.${key}`)))
}

/** The reason why a schema is not valid. Null means that the schema is valid. */
export function schemaFault(schema: unknown, at = '$'): string | null {
  if (!isSchema(schema)) return `the schema at ${at} is neither an object nor true or false`
  if (typeof schema === 'boolean') return null
  for (const [name, given] of Object.entries(schema)) {
    if (ANNOTATIONS.has(name)) continue
    const keyword = name === 'additionalProperties' ? ADDITIONAL : KEYWORDS[name]
    if (keyword === undefined) return `the schema uses ${name} at ${at}, which is not supported`
    if (!keyword.accepts(given)) return `the schema's ${name} at ${at} is not valid`
    const inner = firstFault((keyword.within?.(given) ?? []).map((one) => schemaFault(one, `${at}/${name}`)))
    if (inner !== null) return inner
  }
  return null
}

const ADDITIONAL: Pick<Keyword, 'accepts' | 'within'> = { accepts: isSchema, within: (given) => [given] }

/** The first fault of a value. Null means that the value matches the schema, which must be valid. */
export function valueFault(schema: unknown, value: unknown, at = '$'): string | null {
  if (!isObject(schema)) return schema === false ? `${at} is not allowed` : null
  for (const [name, given] of Object.entries(schema)) {
    const fault = KEYWORDS[name]?.rule(given, value, at) ?? null
    if (fault !== null) return fault
  }
  return additionalFault(schema, value, at)
}
