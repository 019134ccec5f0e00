/** What the shim of a run asks: the tools of its agent, and what can be read beside them. */
import { callTool } from './call-tool.ts'
import type { Caller } from './call-tool.ts'
import { listResources, readResource } from './resources.ts'
import { TOOL_REQUESTS } from './run-requests.ts'

/** Null when it asks for something else. */
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

/** What is asked for, as the board calls it: a tool by its name. */
export function wishOf(op: string, input: unknown): { readonly asked: string; readonly said: unknown } {
  if (op !== TOOL_REQUESTS.call) return { asked: op, said: input }
  const { name, arguments: said } = input as { readonly name: string; readonly arguments: unknown }
  return { asked: name, said }
}
