import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { agentStream } from '../../../src/harnesses/acp/agent-stream.ts'

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const updates: unknown[] = []
  const texts: string[] = []
  const stream = agentStream(
    { input, output },
    { onUpdate: (params) => updates.push(params), onText: (line) => texts.push(line) },
  )
  return { input, output, updates, texts, stream }
}

async function messagesIn(readable: ReadableStream<unknown>): Promise<unknown[]> {
  const messages: unknown[] = []
  for await (const message of readable) messages.push(message)
  return messages
}

const message = (given: object): string => JSON.stringify({ jsonrpc: '2.0', ...given })

test('the output of an agent is separated into messages, updates and other text', async () => {
  const { output, updates, texts, stream } = open()
  const answer = { id: 0, result: { a: 1 } }
  const update = { method: 'session/update', params: { update: { sessionUpdate: 'news' } } }
  const lines = [
    'Welcome!',
    message(answer),
    '{"level":"info"}',
    message(update),
    '',
    '[1]',
    message({ id: 1, result: 2 }),
  ]
  const text = lines.join('\n')
  for (const byte of Buffer.from(text)) output.write(Buffer.from([byte]))
  output.end()
  expect(await messagesIn(stream.readable)).toEqual([
    { jsonrpc: '2.0', ...answer },
    { jsonrpc: '2.0', id: 1, result: 2 },
  ])
  expect(updates).toEqual([update.params])
  expect(texts).toEqual(['Welcome!', '{"level":"info"}', '[1]'])
})

test('a slow reader gets every message', async () => {
  const { output, stream } = open()
  const count = 2_000
  for (let id = 0; id < count; id += 1) output.write(`${message({ id, result: 'x'.repeat(100) })}\n`)
  output.end()
  expect(await messagesIn(stream.readable)).toHaveLength(count)
})

test('requests of an agent wait while the agent does not read its answers', async () => {
  const { input, output, stream } = open()
  const [writer, count] = [stream.writable.getWriter(), 5_000]
  let received = 0
  const answered = (async () => {
    for await (const asked of stream.readable) {
      received += 1
      const id = 'id' in asked ? asked.id : null
      void writer.write({ jsonrpc: '2.0', id, result: 'x'.repeat(1_000) })
    }
  })()
  for (let id = 0; id < count; id += 1) output.write(`${message({ id, method: 'who/knows' })}\n`)
  output.end()
  for (let turns = 0; turns < 1_000; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(received).toBeGreaterThanOrEqual(1_000)
  expect(received).toBeLessThan(2_000)
  input.resume()
  await answered
  expect(received).toBe(count)
})

test('each message is one line, and reading can be cancelled', async () => {
  const { input, output, stream } = open()
  const writer = stream.writable.getWriter()
  await writer.write({ jsonrpc: '2.0', method: 'session/cancel', params: { text: 'a\nb' } })
  expect(String(input.read())).toBe(`${message({ method: 'session/cancel', params: { text: 'a\nb' } })}\n`)
  await stream.readable.cancel()
  output.end(`${message({ id: 1, result: 1 })}\n`)
  output.resume()
  await new Promise((resolve) => output.once('close', resolve))
})
