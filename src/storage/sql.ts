/**
 * One SQL text for both engines. A tagged template keeps values apart from the text; each dialect renders its own
 * placeholders. Statements are written once, in the SQL that both engines accept.
 */
export type SqlValue = string | number | null

export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly SqlValue[]
}

export type Param = SqlValue | boolean | Sql

const isSql = (value: unknown): value is Sql => typeof value === 'object' && value !== null && 'strings' in value

/** Booleans are stored as 0 and 1: the one form that both engines compare alike. */
const bound = (value: SqlValue | boolean): SqlValue => (typeof value === 'boolean' ? (value ? 1 : 0) : value)

export function sql(strings: TemplateStringsArray, ...params: readonly Param[]): Sql {
  if (!params.some(isSql)) return { strings, values: (params as (SqlValue | boolean)[]).map(bound) }
  const flat: string[] = [strings[0] ?? '']
  const values: SqlValue[] = []
  params.forEach((param, at) => {
    const next = strings[at + 1] ?? ''
    if (isSql(param)) {
      append(flat, param.strings[0] ?? '')
      flat.push(...param.strings.slice(1))
      values.push(...param.values)
      append(flat, next)
    } else {
      values.push(bound(param))
      flat.push(next)
    }
  })
  return { strings: flat, values }
}

function append(parts: string[], text: string): void {
  parts[parts.length - 1] = (parts.at(-1) ?? '') + text
}

/** Trusted text of ours: a column list, an order. Never anything a caller wrote. */
export const raw = (text: string): Sql => ({ strings: [text], values: [] })

export const EMPTY = raw('')

export function join(parts: readonly Sql[], separator: string): Sql {
  const [first, ...rest] = parts
  if (first === undefined) return EMPTY
  return rest.reduce((all, part) => sql`${all}${raw(separator)}${part}`, first)
}

/** `(?, ?, …)` for an `in`; never empty, because `in ()` is not SQL. */
export const list = (values: readonly SqlValue[]): Sql =>
  values.length === 0
    ? raw('(null)')
    : sql`(${join(
        values.map((value) => sql`${value}`),
        ', ',
      )})`

const rendered = { '?': new WeakMap<readonly string[], string>(), $: new WeakMap<readonly string[], string>() }

/** The text with `?` or `$1, $2, …`; kept per call site, since a template's strings are the same object each time. */
export function render({ strings }: Sql, style: '?' | '$'): string {
  const known = rendered[style].get(strings)
  if (known !== undefined) return known
  let text = strings[0] ?? ''
  for (let at = 1; at < strings.length; at++) text += (style === '?' ? '?' : `$${at}`) + (strings[at] ?? '')
  rendered[style].set(strings, text)
  return text
}
