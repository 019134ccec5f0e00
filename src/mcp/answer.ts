/** The server side of the Model Context Protocol: the answer to each method. */
import { BoardError, asBoardError, isDiskFull } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'
import { GUIDANCE } from '../core/briefing/guidance.ts'
import { RPC_CODES, RpcError } from './json-rpc.ts'
import type { Request } from './json-rpc.ts'
import { promptText, PROMPTS } from './prompts.ts'
import type { Role } from './tool.ts'
import { isTool, toolsFor } from './tool-list.ts'

/** The protocol versions, newest first. A client that requests an unknown version gets the newest. */
const PROTOCOLS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** The board behind the protocol. The calls go through a supervisor or a store. Refusals are thrown as `BoardError`. */
export interface Backend {
  readonly role: Role
  callTool(name: string, given: unknown): Promise<object>
  listResources(): Promise<readonly Resource[]>
  readResource(uri: string): Promise<ResourceContent>
}

export interface Resource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
}

export type ResourceContent = { readonly uri: string; readonly mimeType: string } & (
  { readonly text: string } | { readonly blob: string }
)

type Method = (backend: Backend, params: Request['params'], version: string) => object | Promise<object>

const METHODS: Readonly<Record<string, Method>> = {
  initialize: ({ role }, { protocolVersion }, version) => ({
    protocolVersion: PROTOCOLS.find((known) => known === protocolVersion) ?? PROTOCOLS[0],
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'muster', title: 'Muster', version },
    instructions: GUIDANCE[role],
  }),
  ping: () => ({}),
  'tools/list': ({ role }) => ({ tools: toolsFor(role) }),
  'tools/call': (backend, { name, arguments: given }) => call(backend, name, given),
  'resources/list': async (backend) => ({ resources: await backend.listResources() }),
  'resources/templates/list': () => ({
    resourceTemplates: [
      { uriTemplate: 'muster://briefing/{card}', name: 'briefing', description: 'The briefing of a card' },
    ],
  }),
  'resources/read': async (backend, { uri }) => {
    if (typeof uri !== 'string') throw new RpcError(RPC_CODES.params, 'uri must be a string.')
    try {
      return { contents: [await backend.readResource(uri)] }
    } catch (error) {
      throw error instanceof BoardError ? new RpcError(NO_RESOURCE, error.message) : error
    }
  },
  'prompts/list': () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: given }) => ({
      name,
      title,
      description,
      arguments: given,
    })),
  }),
  'prompts/get': (_, { name, arguments: given }) => promptText(name, given),
}

const NO_RESOURCE = -32_002

/**
 * Answers a method call. Throws an `RpcError` for a protocol error. If the board refuses the call, the answer has
 * `isError`.
 */
export async function answerMethod(
  backend: Backend,
  { method, params }: Pick<Request, 'method' | 'params'>,
  version: string,
): Promise<object> {
  const known = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  if (known === undefined) throw new RpcError(RPC_CODES.method, `Unknown method ${method}.`)
  return known(backend, params, version)
}

async function call(backend: Backend, name: unknown, given: unknown): Promise<object> {
  if (typeof name !== 'string' || !isTool(name))
    throw new RpcError(RPC_CODES.params, `Unknown tool ${String(name)}. See tools/list.`)
  try {
    const result = await backend.callTool(name, given ?? {})
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
  } catch (error) {
    if (!(error instanceof BoardError) && !isDiskFull(error)) throw error
    return { content: [{ type: 'text', text: errorText(asBoardError(error)) }], isError: true }
  }
}

/**
 * Advice that is added to error messages. Only agents get this advice, because people see the same messages elsewhere.
 */
const NEXT: Partial<Record<ErrorCode, string>> = {
  task_not_found: 'Use an id that a tool gave you.',
  run_over: 'If you are the worker of the run, stop here.',
}

/** The error message with the advice. If checks failed, their output comes after the advice. */
function errorText({ code, message, details }: BoardError): string {
  const sentence = `${[message, NEXT[code]].filter(Boolean).join(' ')} (${code})`
  const { output } = details
  return typeof output === 'string' && output !== '' ? `${sentence}\n\n${output}` : sentence
}
