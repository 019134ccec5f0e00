/** The backend inside a run. It sends requests to the supervisor and does not open the store. */
import type { InsideRun } from '../config/load.ts'
import { BoardError } from '../core/errors.ts'
import type { RunConnection } from '../runs/socket/client.ts'
import type { Backend, Resource, ResourceContent } from './answer.ts'
import { TOOL_REQUESTS } from './tool.ts'
import type { Role } from './tool.ts'
import { changesNothing } from './tool-list.ts'

export function runBackend(run: InsideRun, role: Role): Backend & { close(): void } {
  let connection: Promise<RunConnection> | null = null
  // Returns the connection. The connection is made at the first request, and again after a failure.
  const connected = (): Promise<RunConnection> => {
    if (connection !== null) return connection
    const made = connectBackend(run)
    const forget = (): void => {
      if (connection === made) connection = null
    }
    made.then(({ ended }) => ended).then(forget, forget)
    return (connection = made)
  }
  const ask = async <T>(op: string, input: unknown): Promise<T> => (await (await connected()).ask(op, input)) as T
  return {
    role,
    callTool: async (name, given) => {
      try {
        return await ask<object>(TOOL_REQUESTS.call, { name, arguments: given })
      } catch (error) {
        const isOver = error instanceof BoardError && error.code === 'run_over'
        if (!isOver || changesNothing(name)) throw error
        const { saveIfRunEnded } = await import('../runs/socket/save-if-run-ended.ts')
        throw await saveIfRunEnded(error, run, { verb: name, content: given })
      }
    },
    listResources: () => ask<readonly Resource[]>(TOOL_REQUESTS.resources, {}),
    readResource: (uri) => ask<ResourceContent>(TOOL_REQUESTS.resource, { uri }),
    close: () => void connection?.then((open) => open.close()).catch(() => {}),
  }
}

/**
 * Connects to the supervisor. The client is loaded only at this point, because listing the tools needs no connection.
 */
async function connectBackend(run: InsideRun): Promise<RunConnection> {
  const { connectToRun } = await import('../runs/socket/client.ts')
  return connectToRun(run)
}
