/** The tools of assistants, over Streamable HTTP. */
import { Hono } from 'hono'
import { BoardError } from '../core/errors.ts'
import { requireBoard } from '../operations/boards/require-board.ts'
import { scopeNeeded } from '../operations/shared/access.ts'
import type { HttpEnv, HttpParts } from './parts.ts'
import { requireScope } from './sign-in/identify.ts'

export function mcpRoutes({ target: { store, options, tools } }: HttpParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.all('/', async (c) => {
    const caller = c.get('caller')
    requireScope(caller, 'read')
    if (tools === undefined) throw new BoardError('not_supported', 'This build of Muster has no tools for assistants.')
    const board = c.req.query('board') ?? options.board
    await requireBoard(store, board)
    const port = await tools()
    return port.answer(c.req.raw, {
      store,
      options,
      board,
      name: caller.name,
      authorize: (operation) => requireScope(caller, scopeNeeded(operation)),
    })
  })
  return app
}
