/** Builds the request of a route: its path, query and body. */
import { ClientError } from './client-error.ts'
import type { ClientRequest } from './transport.ts'

export interface ClientRoute {
  readonly method: string
  readonly path: string
}

type Input = Readonly<Record<string, unknown>>

export function requestOf({ method, path }: ClientRoute, input: Input, board: string | undefined): ClientRequest {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => segmentOf(name, input[name]))
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
  const isRead = method === 'get' || method === 'delete'
  const { board: named = board, ...fields } = isRead ? rest : {}
  const search = searchOf({ ...(named != null && { board: named }), ...fields })
  const request = { method: method.toUpperCase(), path: `${filled}${search}` }
  if (isRead) return request
  return { ...request, headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) }
}

/**
 * A segment of a path. The values `.` and `..` are refused, because they would change the path even when they are
 * escaped.
 */
function segmentOf(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (text !== '' && text !== '.' && text !== '..') return encodeURIComponent(text)
  throw new ClientError('invalid_input', `${name} must not be "${text}".`, { status: null, details: { field: name } })
}

/** Builds the query. An empty text means null. A list becomes several parameters with the same name. */
export function searchOf(fields: Input): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (one !== undefined) search.append(name, textOf(one))
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
