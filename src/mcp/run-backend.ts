/** Inside a run the board is reached through its supervisor, and nothing else: no store is opened here. */
import type { InsideRun } from '../config/load.ts'
import { connectToRun } from '../workers/run-socket/client.ts'
import type { RunConnection } from '../workers/run-socket/client.ts'
import type { Backend, Resource, ResourceContent } from './answer.ts'
import { TOOL_REQUESTS } from './run-requests.ts'
import type { Role } from './tool.ts'

export function runBackend(run: InsideRun, role: Role): Backend & { close(): void } {
  let connection: Promise<RunConnection> | null = null
  // Connected at the first question; one that could not be made is tried again at the next.
  const ask = async <T>(op: string, input: unknown): Promise<T> => {
    connection ??= connectToRun(run)
    try {
      return (await (await connection).ask(op, input)) as T
    } catch (error) {
      await connection.catch(() => (connection = null))
      throw error
    }
  }
  return {
    role,
    callTool: (name, given) => ask<object>(TOOL_REQUESTS.call, { name, arguments: given }),
    listResources: () => ask<readonly Resource[]>(TOOL_REQUESTS.resources, {}),
    readResource: (uri) => ask<ResourceContent>(TOOL_REQUESTS.resource, { uri }),
    close: () => void connection?.then((open) => open.close()).catch(() => {}),
  }
}
