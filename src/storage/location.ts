/** The location of a store: a file on this machine, or a schema of a PostgreSQL server. */
import { BoardError } from '../core/errors.ts'

export type StoreLocation =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly schema: string }

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/

/** Parses `postgres://…[?schema=name]`, `sqlite:<path>` or an absolute path. */
export function parseLocation(text: string): StoreLocation {
  if (/^postgres(ql)?:\/\//.test(text)) return parsePostgres(text)
  const path = text.replace(/^sqlite:(?:\/\/)?/, '')
  if (!path.startsWith('/'))
    throw new BoardError('invalid_input', `Store ${redacted(text)} must be an absolute path or a postgres:// URL.`)
  return { engine: 'sqlite', path }
}

function parsePostgres(text: string): StoreLocation {
  if (!URL.canParse(text))
    throw new BoardError('invalid_input', 'The store URL cannot be read: write postgres://user@host:port/database.')
  const url = new URL(text)
  const schema = url.searchParams.get('schema') ?? 'muster'
  url.searchParams.delete('schema')
  if (!SCHEMA.test(schema))
    throw new BoardError('invalid_input', `Schema ${schema} must be lower-case letters, digits and _.`)
  return { engine: 'postgres', url: url.toString(), schema }
}

/** Formats the location as text for users, without the password. */
export function describeLocation(location: StoreLocation): string {
  return location.engine === 'sqlite' ? location.path : `${redacted(location.url)} (schema ${location.schema})`
}

const redacted = (text: string): string => text.replace(/(:\/\/[^/@:]*):[^/@]*@/, '$1:***@')
