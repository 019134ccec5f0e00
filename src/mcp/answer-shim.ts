/** Answers the requests of a run's tool server (the shim): tool calls and resources. */
import { callTool } from './call-tool.ts'
import type { Caller } from './call-tool.ts'
import { listResources, readResource } from './resources.ts'
import { TOOL_REQUESTS } from './tool.ts'

/** Answers a request. Returns null for any other request, which the caller then handles as an operation. */
export function answerShim(caller: Caller, op: string, input: unknown): Promise<unknown> | null {
  switch (op) {
    case TOOL_REQUESTS.role:
      return Promise.resolve(caller.role)
    case TOOL_REQUESTS.call: {
      const { name, arguments: given } = input as { readonly name: string; readonly arguments: unknown }
      return callTool(caller, name, given)
    }
    case TOOL_REQUESTS.resources:
      return listResources(caller)
    case TOOL_REQUESTS.resource:
      return readResource(caller, (input as { readonly uri: string }).uri)
    default:
      return null
  }
}

/** The name and content of a request. The name of a tool call is the name of the tool. */
export function describeRequest(op: string, input: unknown): { readonly name: string; readonly input: unknown } {
  if (op !== TOOL_REQUESTS.call) return { name: op, input }
  const { name, arguments: given } = input as { readonly name: string; readonly arguments: unknown }
  return { name, input: given }
}
