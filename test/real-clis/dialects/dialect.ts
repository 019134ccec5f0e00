/** The requests and replies of a model, independent of the protocol. */
import type { ServerResponse } from 'node:http'

export interface ModelRequest {
  readonly dialect: string
  readonly path: string
  readonly model: string
  /** The whole conversation as text: instructions, prompts, results of tools. */
  readonly conversation: string
  /** The last message: the user's text, or the results of tool calls. */
  readonly lastMessage: string
  /** The names of the tools that the model may call, as the CLI names them. */
  readonly tools: readonly string[]
}

export type ModelReply =
  /** A reply as text. With `isTorn`, the connection ends in the middle of the reply. */
  | { readonly text: string; readonly isTorn?: true }
  /** A call of a tool. `tool` may be the end of a tool's name, because each CLI adds its own prefix. */
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>>; readonly text?: string }
  | FailureReply
  /** A raw reply, for events that only one provider sends. Data that is a text is sent unchanged. */
  | { readonly events: readonly WireEvent[] }

export interface FailureReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message?: string
  /** The whole body of the reply, if the provider sends more than a message. */
  readonly body?: unknown
}

export type WireEvent = readonly [name: string | null, data: unknown]

export interface Dialect {
  readonly name: string
  matches(path: string): boolean
  read(body: Readonly<Record<string, unknown>>, path: string): Omit<ModelRequest, 'dialect' | 'path'>
  /** Writes the whole reply. If the request asks for a stream, the reply is a stream. */
  write(
    response: ServerResponse,
    reply: Exclude<ModelReply, FailureReply | { events: unknown }>,
    body: Readonly<Record<string, unknown>>,
    path: string,
  ): void
  fail(response: ServerResponse, reply: FailureReply): void
}

/** Sends all server-sent events at once, or only the first half if the reply is torn. */
export function sendEvents(
  response: ServerResponse,
  events: readonly WireEvent[],
  { end, isTorn = false }: { readonly end?: string; readonly isTorn?: boolean } = {},
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const [name, data] of isTorn ? events.slice(0, Math.ceil(events.length / 2)) : events) {
    if (name !== null) response.write(`event: ${name}\n`)
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  if (isTorn) response.socket?.end()
  else response.end(end === undefined ? undefined : `data: ${end}\n\n`)
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}
