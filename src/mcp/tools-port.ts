/**
 * Serves the tools over Streamable HTTP, with the official MCP server. Each request is complete in itself. So clients
 * of the stateless revision (2026-07-28) and clients of the revisions with a handshake are both served. The caller
 * counts as an assistant, even if its token has more rights elsewhere. The caller cannot approve anything, or let a
 * card continue that the board stopped.
 */
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { GUIDANCE } from '../core/briefing/guidance.ts'
import { BoardError } from '../core/errors.ts'
import type { RemoteAssistant, ToolsPort } from '../operations/machine/server-port.ts'
import type { AnyOperation } from '../operations/shared/perform.ts'
import { isRecord } from '../util/json-fields.ts'
import { answerMethod } from './answer.ts'
import type { Backend } from './answer.ts'
import { MESSAGE_BYTES } from './serve.ts'
import { storeBackend } from './store-backend.ts'
import type { Arguments } from './tool.ts'

const METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
] as const

export const makeToolsPort = (version: string): ToolsPort => ({
  async answer(request, assistant) {
    const backend = remoteBackend(assistant)
    const handler = createMcpHandler(() => serverOf(backend, version), { maxRequestBodySize: MESSAGE_BYTES })
    return handler.fetch(request)
  },
})

function serverOf(backend: Backend, version: string): Server {
  const server = new Server(
    { name: 'muster', title: 'Muster', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: GUIDANCE[backend.role] },
  )
  for (const method of METHODS)
    server.setRequestHandler(method, async (request) => {
      const params: Readonly<Record<string, unknown>> = { ...request.params }
      // The cast is safe, because the official server checks the answer against the schema of the method.
      return (await answerMethod(backend, { method, params }, version)) as never
    })
  return server
}

function remoteBackend({ store, options, board, name, authorize }: RemoteAssistant): Backend {
  const actor = { kind: 'orchestrator', name: `assistant of ${name}`, taskId: null, runId: null } as const
  return storeBackend(
    board,
    async () => ({ store, options, board, actor }),
    (operation, input) => {
      authorize(operation)
      refuseServerFiles(operation, input)
    },
  )
}

/**
 * Refuses arguments with file paths. A path would name a file of the server, which an assistant on another machine must
 * not read.
 */
function refuseServerFiles({ kind, name }: AnyOperation, { artifacts, metadata }: Arguments): void {
  const named = artifacts ?? (isRecord(metadata) ? metadata['artifacts'] : undefined)
  if (kind !== 'transfer' && named === undefined) return
  throw new BoardError(
    'not_supported',
    'Over HTTP, a path would name a file of the server, so files cannot be attached by path. Upload the file: POST /api/tasks/<id>/attachments?name=<name>.',
    { details: { operation: name } },
  )
}
