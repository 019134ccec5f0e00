/**
 * The URL of the dialog that creates a card. The dashboard writes `?create=new` or, with values for its fields,
 * `?create=new?status=triage&assignee=claude` (encoded). A link that a person writes can be simpler: `?create=Fix the
 * login&status=triage`. Its other fields then belong to the dialog and not to the filters of a board.
 */

/** The fields that a URL can fill in. */
const PREFILLED = ['title', 'body', 'status', 'assignee', 'tenant', 'workflow', 'labels', 'parents', 'board'] as const
type PrefilledField = (typeof PREFILLED)[number]

/** The values of the fields. Lists are written as text with commas. */
export type Prefill = Readonly<Partial<Record<PrefilledField, string>>>

const NEW = 'new'

/** Returns the value of the URL field `create` for a dialog with these values. */
export function createValue(prefill: Prefill = {}): string {
  const fields = new URLSearchParams(Object.entries(prefill).filter(([, value]) => value !== ''))
  return fields.size === 0 ? NEW : `${NEW}?${String(fields)}`
}

const pick = (fields: URLSearchParams): Prefill =>
  Object.fromEntries(
    PREFILLED.map((name): [string, string] => [name, fields.get(name) ?? '']).filter(([, value]) => value !== ''),
  )

/** Returns the values for the dialog. Null means that the URL does not open the dialog. */
export function readCreate(query: URLSearchParams): Prefill | null {
  const value = query.get('create')
  if (value === null) return null
  if (value === NEW) return {}
  if (value.startsWith(`${NEW}?`)) return pick(new URLSearchParams(value.slice(NEW.length + 1)))
  return { ...pick(query), ...(/^1?$/.test(value) ? {} : { title: value }) }
}

/** Returns the URL without the dialog. */
export function withoutCreate(query: URLSearchParams): URLSearchParams {
  const value = query.get('create') ?? NEW
  const next = new URLSearchParams(query)
  next.delete('create')
  if (value !== NEW && !value.startsWith(`${NEW}?`)) for (const name of PREFILLED) next.delete(name)
  return next
}
