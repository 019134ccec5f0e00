/**
 * A scripted endpoint on loopback that is compatible with the chat completions of OpenAI. The endpoint sends the queued
 * replies in order, and keeps all requests for the test.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { WhenOver } from './when-over.ts'

export interface ScriptedRequest {
  readonly path: string
  readonly authorization: string | undefined
  readonly hasSchema: boolean
  /** The messages of the conversation. The first message has the instructions. */
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

export type ScriptedReply =
  /** The answer as JSON. */
  | { readonly json: unknown }
  /** An answer as text. `ending` is the reason why the answer ends. */
  | { readonly text: string; readonly ending?: string }
  /** A reply of HTTP without an answer. */
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** No reply. */
  | 'silent'

type Decide = (request: ScriptedRequest) => ScriptedReply | Promise<ScriptedReply>

export interface ScriptedModel {
  /** The base address for config.yaml. */
  readonly url: string
  readonly requests: readonly ScriptedRequest[]
  /** Adds replies to the queue. */
  script(...replies: readonly (ScriptedReply | Decide)[]): void
  close(): Promise<void>
}

export const SCRIPTED_MODEL = 'scripted'

/** Starts the endpoint. If no reply is queued, it answers with HTTP 500. The caller closes it. */
export async function startScriptedModel(fallback: Decide = () => ({ status: 500 })): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = []
  const queue: (ScriptedReply | Decide)[] = []
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming)
    requests.push(request)
    const next = queue.shift() ?? fallback
    send(response, typeof next === 'function' ? await next(request) : next)
  }
  const server = createServer((incoming, response) => void handle(incoming, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}/v1`, requests, script: (...replies) => void queue.push(...replies), close }
}

/** Starts an endpoint that closes at the end of the test, or of the group of tests that share it. */
export async function useScriptedModel(fallback?: Decide, whenOver: WhenOver = onTestFinished): Promise<ScriptedModel> {
  const model = await startScriptedModel(fallback)
  whenOver(() => model.close())
  return model
}

/** Writes a config.yaml that chooses the endpoint for all roles. `more` are further lines of the file. */
export const chooseModel = (
  home: string,
  { url }: Pick<ScriptedModel, 'url'>,
  more = '',
  timeout: `${number}s` = '20s',
): void =>
  writeFileSync(
    join(home, 'config.yaml'),
    `models:\n  planner: { url: "${url}", model: ${SCRIPTED_MODEL}, timeout: ${timeout} }\n${more}`,
  )

async function readRequest(incoming: IncomingMessage): Promise<ScriptedRequest> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as {
    readonly messages: ScriptedRequest['messages']
    readonly response_format?: object
  }
  return {
    path: incoming.url ?? '',
    authorization: incoming.headers.authorization,
    hasSchema: body.response_format !== undefined,
    messages: body.messages,
  }
}

function send(response: ServerResponse, reply: ScriptedReply): void {
  if (reply === 'silent') return
  if ('status' in reply) return sendJson(response, reply.status, reply.body ?? {}, reply.headers)
  const content = 'text' in reply ? reply.text : JSON.stringify(reply.json)
  const ending = 'text' in reply ? (reply.ending ?? 'stop') : 'stop'
  sendJson(response, 200, {
    model: SCRIPTED_MODEL,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: ending }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cost: 0.001 },
  })
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}
