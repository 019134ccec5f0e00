/** Answers the shim of a run: tool calls and resources. */
import { callTool } from './call-tool.ts'
import type { Caller } from './call-tool.ts'
import { listResources, readResource } from './resources.ts'
import { TOOL_REQUESTS } from './tool.ts'

/** Null if the request is of another kind. */
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

/** The name and content of a request; a tool call goes by the name of the tool. */
export function describeRequest(op: string, input: unknown): { readonly asked: string; readonly said: unknown } {
  if (op !== TOOL_REQUESTS.call) return { asked: op, said: input }
  const { name, arguments: said } = input as { readonly name: string; readonly arguments: unknown }
  return { asked: name, said }
}
