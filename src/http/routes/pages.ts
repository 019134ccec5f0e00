/** Pages of a list. The Link header of a full page names the next page (RFC 8288). */
import { BoardError } from '../../core/errors.ts'
import type { Route } from './table.ts'

type Input = Readonly<Record<string, unknown>>

/** Sets the page size if the request gives none, so that no request reads a whole board. */
export function withPage({ page }: Route, input: Input): Input {
  if (page === undefined) return input
  const { limit = page.size } = input
  if (typeof limit === 'number' && limit > page.most)
    throw new BoardError('invalid_input', `limit may be at most ${page.most}.`, { details: { field: 'limit' } })
  return { ...input, limit }
}

export function nextPage(
  url: string,
  { page }: Route,
  { input, output }: { readonly input: Input; readonly output: unknown },
): Record<string, string> {
  if (page === undefined || !Array.isArray(output) || output.length === 0 || output.length < Number(input['limit']))
    return {}
  const next = new URL(url)
  next.searchParams.set('after', (output.at(-1) as { readonly id: string }).id)
  return { link: `<${next.pathname}${next.search}>; rel="next"` }
}
