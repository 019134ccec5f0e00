/**
 * SQL texts for both engines. A tagged template separates the text from the values, and each engine renders its own
 * placeholders.
 *
 * The text of a statement is built once. The same template with the same parts always gives the same `strings` object,
 * so that rendering and preparing a statement are look-ups. Building the texts again each time took a third of the time
 * of a claim.
 */
export type SqlValue = string | number | null

export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly SqlValue[]
}

export type Param = SqlValue | boolean | Sql

const isSql = (value: Param): value is Sql => typeof value === 'object' && value !== null

/** Booleans are stored as 0 and 1, because both engines compare these in the same way. */
const bound = (value: SqlValue | boolean): SqlValue => (typeof value === 'boolean' ? (value ? 1 : 0) : value)

/**
 * A node in the tree of known texts. The list of parts is the path to a node. Values do not change the text, so all
 * values share one branch.
 */
interface Shape {
  readonly next: WeakMap<readonly string[], Shape>
  value: Shape | null
  strings: readonly string[] | null
}

const newShape = (): Shape => ({ next: new WeakMap(), value: null, strings: null })

function followShape({ next }: Shape, part: readonly string[]): Shape {
  const known = next.get(part)
  if (known !== undefined) return known
  const made = newShape()
  next.set(part, made)
  return made
}

const templates = newShape()
/** The texts around a value that is a part of a template. Both texts are empty. */
const VALUE: readonly string[] = ['', '']

export function sql(strings: TemplateStringsArray, ...params: readonly Param[]): Sql {
  let shape = followShape(templates, strings)
  const values: SqlValue[] = []
  for (const param of params) {
    if (isSql(param)) {
      shape = followShape(shape, param.strings)
      for (const value of param.values) values.push(value)
    } else {
      shape = shape.value ??= newShape()
      values.push(bound(param))
    }
  }
  shape.strings ??= glue(strings, params.map(textOf))
  return { strings: shape.strings, values }
}

const textOf = (param: Param): readonly string[] => (isSql(param) ? param.strings : VALUE)

/** Merges the texts of a template with the texts of its parts. */
function glue(around: readonly string[], parts: readonly (readonly string[])[]): readonly string[] {
  const flat = [around[0] ?? '']
  parts.forEach((part, at) => {
    append(flat, part[0] ?? '')
    flat.push(...part.slice(1))
    append(flat, around[at + 1] ?? '')
  })
  return flat
}

function append(parts: string[], text: string): void {
  parts[parts.length - 1] = (parts.at(-1) ?? '') + text
}

const texts = new Map<string, Sql>()

/**
 * Builds SQL from trusted text of this code, such as a column list. The text never contains user input, so the number
 * of different texts is limited.
 */
export function raw(text: string): Sql {
  const known = texts.get(text)
  if (known !== undefined) return known
  const made: Sql = { strings: [text], values: [] }
  texts.set(text, made)
  return made
}

export const EMPTY = raw('')

const joined = newShape()

export function join(parts: readonly Sql[], separator: string): Sql {
  let shape = followShape(joined, raw(separator).strings)
  const values: SqlValue[] = []
  for (const part of parts) {
    shape = followShape(shape, part.strings)
    for (const value of part.values) values.push(value)
  }
  shape.strings ??= glueAll(parts, separator)
  return { strings: shape.strings, values }
}

function glueAll(parts: readonly Sql[], separator: string): readonly string[] {
  const around = parts.map((_, at) => (at === 0 ? '' : separator))
  return glue([...around, ''], parts.map(textOf))
}

const lists: (readonly string[] | undefined)[] = []

/** The maximum number of values in one `in (…)`, below the parameter limit of both engines. */
const CHUNK = 500

/** Splits a list into pieces that fit into one `in (…)`. An empty list gives no piece. */
export function* chunks<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < values.length; at += CHUNK) yield values.slice(at, at + CHUNK)
}

/** The text `(?, ?, …)` after `in`. An empty list gives `(null)`, because `in ()` is not valid SQL. */
export function valueList(values: readonly SqlValue[]): Sql {
  if (values.length === 0) return raw('(null)')
  const strings = (lists[values.length] ??= ['(', ...values.slice(1).map(() => ', '), ')'])
  return { strings, values }
}

const rendered = { '?': new WeakMap<readonly string[], string>(), $: new WeakMap<readonly string[], string>() }

/** The text of a statement with the placeholders `?` or `$1, $2, …`. */
export function render({ strings }: Sql, style: '?' | '$'): string {
  const known = rendered[style].get(strings)
  if (known !== undefined) return known
  let text = strings[0] ?? ''
  for (let at = 1; at < strings.length; at++) text += (style === '?' ? '?' : `$${at}`) + (strings[at] ?? '')
  rendered[style].set(strings, text)
  return text
}
