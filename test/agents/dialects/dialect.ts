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
  | { readonly text: string }
  /** `name` may be the end of a tool's name: each CLI puts its own words before it. */
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>>; readonly text?: string }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly message?: string }

export interface Dialect {
  readonly name: string
  matches(path: string): boolean
  read(body: Readonly<Record<string, unknown>>, path: string): Omit<Asked, 'dialect' | 'path'>
  /** Writes the whole answer. `streams`: whether events are asked for. */
  write(
    response: ServerResponse,
    said: Exclude<Said, { status: number }>,
    body: Readonly<Record<string, unknown>>,
    path: string,
  ): void
  fail(response: ServerResponse, said: Extract<Said, { status: number }>): void
}

/** Server-sent events, whole and at once. */
export function sendEvents(
  response: ServerResponse,
  events: readonly (readonly [name: string | null, data: unknown])[],
  end?: string,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const [name, data] of events) {
    if (name !== null) response.write(`event: ${name}\n`)
    response.write(`data: ${JSON.stringify(data)}\n\n`)
  }
  response.end(end === undefined ? undefined : `data: ${end}\n\n`)
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
