/** The route for assistants that use the tools over Streamable HTTP. */
import { Hono } from 'hono'
import type { Context } from 'hono'
import { BoardError } from '../core/errors.ts'
import { requireBoard } from '../operations/boards/require-board.ts'
import { scopeNeeded } from '../operations/shared/access.ts'
import type { BodyBudget } from './body-budget.ts'
import type { HttpEnv, HttpParts } from './parts.ts'
import { LARGE_JSON_BYTES, readBytes } from './read-body.ts'
import { requireScope } from './sign-in/identify.ts'

export function mcpRoutes({ target: { store, options, tools }, bodies }: HttpParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.all('/', async (c) => {
    const caller = c.get('caller')
    requireScope(caller, 'read')
    requirePost(c)
    if (tools === undefined) throw new BoardError('not_supported', 'This build of Muster has no tools for assistants.')
    const board = c.req.query('board') ?? options.board
    await requireBoard(store, board)
    const port = await tools()
    return port.answer(await complete(c, bodies), {
      store,
      options,
      board,
      name: caller.name,
      authorize: (operation) => requireScope(caller, scopeNeeded(operation)),
    })
  })
  return app
}

/** Refuses GET and DELETE. Every request stands alone, so there is no stream to open and no session to end. */
function requirePost({ req }: Pick<Context, 'req'>): void {
  if (req.method === 'POST') return
  throw new BoardError('method_not_allowed', `/mcp does not accept ${req.method}.`, { details: { allow: 'POST' } })
}

/**
 * Returns the request with its body already read. The official MCP server would read the body without the limit for all
 * requests together.
 */
async function complete(c: Context<HttpEnv>, bodies: BodyBudget): Promise<Request> {
  const { method, url, headers, signal } = c.req.raw
  const body = await readBytes(c, { bodies, mostBytes: LARGE_JSON_BYTES })
  return new Request(url, { method, headers, signal, body: new Uint8Array(body) })
}
