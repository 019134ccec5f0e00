/** What a model is asked and says, in whatever words its clients have for it. */
import type { ServerResponse } from 'node:http'

export interface Asked {
  readonly dialect: string
  readonly path: string
  readonly model: string
  /** Everything that was said so far, as text: instructions, prompts, results of tools. */
  readonly said: string
  /** What came last: the words of the user, or the results of the tools that were called. */
  readonly last: string
  /** Names of the tools it may call, as the CLI calls them. */
  readonly tools: readonly string[]
}

export type Said =
  /** `isTorn`: it hangs up in the middle of what it says. */
  | { readonly text: string; readonly isTorn?: true }
  /** `name` may be the end of a tool's name: each CLI puts its own words before it. */
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>>; readonly text?: string }
  | Failing
  /** An answer as it goes over the wire, for what its maker says in events of its own. A text is sent as it is. */
  | { readonly events: readonly WireEvent[] }

export interface Failing {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message?: string
  /** All of it, where its maker tells more than a message. */
  readonly body?: unknown
}

export type WireEvent = readonly [name: string | null, data: unknown]

export interface Dialect {
  readonly name: string
  matches(path: string): boolean
  read(body: Readonly<Record<string, unknown>>, path: string): Omit<Asked, 'dialect' | 'path'>
  /** Writes the whole answer. `streams`: whether events are asked for. */
  write(
    response: ServerResponse,
    said: Exclude<Said, Failing | { events: unknown }>,
    body: Readonly<Record<string, unknown>>,
    path: string,
  ): void
  fail(response: ServerResponse, said: Failing): void
}

/** Server-sent events, whole and at once; of a torn answer the first half. */
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
