/**
 * A scripted model server on loopback. It supports the four protocols that agent CLIs use: Anthropic Messages, OpenAI
 * Responses and Chat Completions, and Gemini. The server keeps all requests for the test.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropic } from './dialects/anthropic.ts'
import { chatCompletions } from './dialects/chat-completions.ts'
import { gemini } from './dialects/gemini.ts'
import { sendEvents, sendJson } from './dialects/dialect.ts'
import type { ModelRequest, Dialect, ModelReply } from './dialects/dialect.ts'
import { responses } from './dialects/responses.ts'

const DIALECTS: readonly Dialect[] = [anthropic, responses, chatCompletions, gemini]

export interface ModelServer {
  readonly url: string
  readonly requests: readonly ModelRequest[]
  close(): Promise<void>
}

export async function startModel(
  decide: (request: ModelRequest) => ModelReply | Promise<ModelReply>,
): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const server = createServer((request, response) => void handle(request, response))
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/'
    const text = await bodyOf(request)
    const dialect = request.method === 'POST' ? DIALECTS.find((one) => one.matches(path)) : undefined
    if (dialect === undefined) return void response.writeHead(request.method === 'HEAD' ? 200 : 404).end()
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>
    const question = { dialect: dialect.name, path, ...dialect.read(body, path) }
    requests.push(question)
    const reply = await decide(question)
    if ('events' in reply) return sendEvents(response, reply.events)
    if ('status' in reply && reply.body !== undefined)
      return sendJson(response, reply.status, reply.body, reply.headers)
    if ('status' in reply) return dialect.fail(response, reply)
    dialect.write(
      response,
      'tool' in reply ? { ...reply, tool: fullName(reply.tool, question.tools) } : reply,
      body,
      path,
    )
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, close: () => close(server) }
}

const fullName = (name: string, known: readonly string[]): string =>
  known.find((one) => one === name) ??
  known.find((one) => /[_/]$/.test(one.slice(0, -name.length)) && one.endsWith(name)) ??
  name

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
