/** `muster mcp`: serves the tools of a board until the client disconnects. */
import type { InsideRun } from '../config/load.ts'
import type { BoardContext } from '../operations/shared/operation.ts'
import { connectToRun } from '../runs/socket/client.ts'
import { runBackend } from './run-backend.ts'
import { TOOL_REQUESTS } from './tool.ts'
import { serve } from './serve.ts'
import type { McpClient } from './serve.ts'
import { storeBackend } from './store-backend.ts'
import type { Role } from './tool.ts'

interface Served {
  readonly board: string
  /**
   * The run to which this process belongs. This is null outside a run. Inside a run, the supervisor answers, and this
   * process opens no store.
   */
  readonly insideRun: InsideRun | null
  readonly open: (how: { makesHome: boolean }) => Promise<BoardContext>
}

export async function serveTools({ board, insideRun, open }: Served, client: McpClient): Promise<void> {
  if (insideRun === null) return serve(storeBackend(board, open), client)
  const backend = runBackend(insideRun, await roleOfRun(insideRun))
  await serve(backend, client)
  backend.close()
}

/**
 * Asks the supervisor for the role of the agent. Fails if the supervisor is gone, because no later request could be
 * answered either.
 */
async function roleOfRun(run: InsideRun): Promise<Role> {
  const connection = await connectToRun(run)
  try {
    return (await connection.ask(TOOL_REQUESTS.role, {})) as Role
  } finally {
    connection.close()
  }
}
