// Tests the protocol without a board: the answer to each line, and the order of the answers.
import { describe, expect, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import type { Backend } from '../../src/mcp/answer.ts'
import { ROLES } from '../../src/mcp/tool.ts'
import { serve } from '../../src/mcp/serve.ts'

const nothing: Backend = {
  role: 'worker',
  callTool: async (name, given) => ({ name, given }),
  listResources: async () => [],
  readResource: async (uri) => ({ uri, mimeType: 'text/plain', text: 'words' }),
}

/** Connects a client that sends lines and receives answers. The client disconnects at `end`. */
function connectClient(backend: Partial<Backend> = {}) {
  const sent: Uint8Array[] = []
  const received: unknown[] = []
  let wake = (): void => {}
  let isOver = false
  async function* input(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = sent.shift()
      if (next !== undefined) yield next
      else if (isOver) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const done = serve(
    { ...nothing, ...backend },
    {
      input: input(),
      version: '1.2.3',
      send: async (line) => {
        expect(line.endsWith('\n')).toBe(true)
        received.push(JSON.parse(line))
      },
    },
  )
  const sendBytes = (bytes: string | Uint8Array): void => {
    sent.push(Buffer.from(bytes))
    wake()
  }
  return {
    send: sendBytes,
    received,
    receive: async (count: number): Promise<unknown[]> => {
      await expect.poll(() => received.length).toBeGreaterThanOrEqual(count)
      return received
    },
    end: async (): Promise<unknown[]> => {
      isOver = true
      wake()
      await done
      return received
    },
  }
}

/** Sends all lines at once, then disconnects. */
async function answers(lines: string | Uint8Array, backend: Partial<Backend> = {}): Promise<unknown[]> {
  const client = connectClient(backend)
  client.send(lines)
  return client.end()
}

const request = (id: unknown, method: string, params?: unknown): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`

describe('initialize', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
    [7, '2025-11-25'],
  ])('a client that asks for protocol %s gets %s', async (protocolVersion, offered) => {
    const [answer] = await answers(request(1, 'initialize', { protocolVersion, capabilities: {} }))
    expect(answer).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { protocolVersion: offered, serverInfo: { name: 'muster', version: '1.2.3' } },
    })
  })

  test.each(ROLES)('a %s gets short instructions from the MCP server', async (role) => {
    const [answer] = await answers(request(1, 'initialize', {}), { role })
    const { instructions } = (answer as { result: { instructions: string } }).result
    expect(instructions).toContain('kanban_')
    expect(instructions.length).toBeLessThan(2_000)
  })
})

describe('an invalid line', () => {
  test.each<[string, string | Uint8Array, number, unknown]>([
    ['that is not JSON', 'nonsense\n', -32_700, null],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32_700, null],
    ['that is not an object', '7\n', -32_600, null],
    ['without a method', '{"jsonrpc":"2.0","id":4}\n', -32_600, 4],
    ['with an invalid id', '{"jsonrpc":"2.0","id":{},"method":"ping"}\n', -32_600, null],
    ['with a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}\n', -32_600, null],
    ['with an empty batch', '[]\n', -32_600, null],
  ])('a line %s gets an error, and the next line is answered', async (_, line, code, id) => {
    const client = connectClient()
    client.send(line)
    client.send(request(9, 'ping'))
    const received = await client.end()
    expect(received).toHaveLength(2)
    expect(received).toContainEqual({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.any(String) as string },
    })
    expect(received).toContainEqual({ jsonrpc: '2.0', id: 9, result: {} })
  })

  test('a line that is too long is skipped with an error', async () => {
    const client = connectClient()
    const long = Buffer.alloc(1024 * 1024, 'x')
    for (let megabyte = 0; megabyte < 9; megabyte += 1) client.send(long)
    client.send(`\n${request(9, 'ping')}`)
    const received = await client.end()
    expect(received).toContainEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message: expect.stringContaining('attach') as string },
    })
    expect(received).toContainEqual({ jsonrpc: '2.0', id: 9, result: {} })
    expect(received).toHaveLength(2)
  })

  test('an unfinished line is ignored', async () => {
    expect(await answers(request(1, 'ping').trimEnd())).toEqual([])
  })

  test('an empty line is ignored, and CRLF is accepted', async () => {
    expect(await answers(`\n\r\n${request(1, 'ping').trimEnd()}\r\n`)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })
})

test('messages are read one by one, however the input is split', async () => {
  const text = request('a', 'ping') + request('ä', 'ping')
  const client = connectClient()
  for (const byte of Buffer.from(text)) client.send(Uint8Array.of(byte))
  client.send(request(3, 'ping') + request(4, 'ping'))
  const ids = (await client.end()).map((answer) => (answer as { id: unknown }).id)
  expect(ids).toEqual(['a', 'ä', 3, 4])
})

test('a batch gets one list of answers, without answers to its notifications', async () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'no/such' },
    'nonsense',
  ]
  const received = await answers(`${JSON.stringify(batch)}\n`)
  expect(received).toEqual([
    [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, error: { code: -32_601, message: 'Unknown method no/such.' } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'A message must be an object.' } },
    ],
  ])
  expect(await answers('[{"jsonrpc":"2.0","method":"notifications/initialized"}]\n')).toEqual([])
})

test('notifications and unexpected answers get no reply', async () => {
  const lines = [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/whatever', params: [1] },
    { jsonrpc: '2.0', id: 5, result: {} },
    { jsonrpc: '2.0', id: 5, error: { code: 1, message: 'no' } },
  ]
  expect(await answers(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))).toEqual([])
})

test.each(['no/such', 'constructor', '__proto__', ''])('method %j is not found', async (method) => {
  const [answer] = await answers(request(1, method))
  expect(answer).toMatchObject({ id: 1, error: { code: -32_601 } })
})

describe('a call', () => {
  test('a call of an unknown tool is a protocol error', async () => {
    for (const name of ['kanban_dance', 'toString', undefined, 7])
      expect(await answers(request(1, 'tools/call', { name }))).toMatchObject([{ id: 1, error: { code: -32_602 } }])
  })

  test('a refused call returns the message and the check output', async () => {
    const refused = new BoardError('checks_failed', 'Not done. Fix it.', { details: { output: 'line 3: boom' } })
    const [answer] = await answers(request(1, 'tools/call', { name: 'kanban_complete' }), {
      callTool: () => Promise.reject(refused),
    })
    expect(answer).toMatchObject({
      result: { isError: true, content: [{ text: 'Not done. Fix it. (checks_failed)\n\nline 3: boom' }] },
    })
  })

  test('a call that fails internally returns an error, and the next call works', async () => {
    const received = await answers(request(1, 'tools/call', { name: 'kanban_show' }) + request(2, 'ping'), {
      callTool: () => Promise.reject(new TypeError('oops')),
    })
    expect(received).toContainEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_603, message: 'Something went wrong in Muster itself: oops' },
    })
    expect(received).toContainEqual({ jsonrpc: '2.0', id: 2, result: {} })
  })

  test('a slow call blocks no other call and finishes after the client disconnects', async () => {
    const open: (() => void)[] = []
    const client = connectClient({ callTool: (name) => new Promise((resolve) => open.push(() => resolve({ name }))) })
    client.send(request(1, 'tools/call', { name: 'kanban_complete' }) + request(2, 'ping'))
    expect(await client.receive(1)).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }])
    const ended = client.end()
    open[0]?.()
    expect(await ended).toMatchObject([
      { id: 2 },
      { id: 1, result: { structuredContent: { name: 'kanban_complete' } } },
    ])
  })

  test('a cancelled call gets no answer, and its id can be used again', async () => {
    const open: (() => void)[] = []
    const client = connectClient({ callTool: (name) => new Promise((resolve) => open.push(() => resolve({ name }))) })
    const cancel = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })}\n`
    client.send(request(1, 'tools/call', { name: 'kanban_show' }) + cancel + request(2, 'ping'))
    await client.receive(1)
    open[0]?.()
    client.send(request(3, 'ping'))
    await client.receive(2)
    // No call with this id is open, so this cancellation must not suppress the answer to a later call.
    client.send(cancel + request(1, 'ping'))
    expect(await client.end()).toEqual([
      { jsonrpc: '2.0', id: 2, result: {} },
      { jsonrpc: '2.0', id: 3, result: {} },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
  })

  test('a call waits while sixteen calls are open', async () => {
    let most = 0
    let now = 0
    const open: (() => void)[] = []
    const client = connectClient({
      callTool: () => {
        most = Math.max(most, ++now)
        return new Promise((resolve) => open.push(() => resolve({ now: now-- })))
      },
    })
    for (let id = 0; id < 40; id += 1) client.send(request(id, 'tools/call', { name: 'kanban_show' }))
    while (client.received.length < 40) {
      open.splice(0).forEach((finish) => finish())
      await new Promise(setImmediate)
    }
    expect(most).toBe(16)
    expect(await client.end()).toHaveLength(40)
  })
})

describe('tools', () => {
  test.each([
    ['worker', 10],
    ['reviewer', 10],
    ['member', 10],
    ['verifier', 10],
    ['orchestrator', 22],
    ['assistant', 22],
  ] as const)('the client of a %s gets %i tools', async (role, count) => {
    const [answer] = await answers(request(1, 'tools/list'), { role })
    const { tools } = (answer as { result: { tools: { name: string; description: string; inputSchema: object }[] } })
      .result
    expect(tools).toHaveLength(count)
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^kanban_[a-z_]+$/)
      expect(description.length).toBeLessThan(300)
      expect(inputSchema).toMatchObject({ type: 'object' })
    }
  })
})

describe('resources and prompts', () => {
  test('a missing resource and an internal failure give different errors', async () => {
    const readResource: Backend['readResource'] = async (uri) => {
      if (uri === 'muster://gone') throw new BoardError('attachment_not_found', 'It is gone.')
      throw new TypeError('oops')
    }
    const read = (uri: unknown) => answers(request(1, 'resources/read', { uri }), { readResource })
    expect(await read('muster://gone')).toMatchObject([{ error: { code: -32_002, message: 'It is gone.' } }])
    expect(await read('muster://other')).toMatchObject([{ error: { code: -32_603 } }])
    expect(await read(7)).toMatchObject([{ error: { code: -32_602 } }])
  })

  test('a prompt is filled in, or an error names its missing argument', async () => {
    const get = (name: unknown, given?: unknown) =>
      answers(request(1, 'prompts/get', { name, arguments: given })).then(([answer]) => answer)
    expect(await get('work', { card: ' t_1 ' })).toMatchObject({
      result: {
        messages: [
          { role: 'user', content: { type: 'text', text: expect.stringContaining('card t_1 with') as string } },
        ],
      },
    })
    expect(await get('triage')).toMatchObject({ result: { messages: [{ role: 'user' }] } })
    expect(await get('plan', {})).toMatchObject({ error: { code: -32_602, message: 'The prompt plan needs goal.' } })
    expect(await get('plan', { goal: 7 })).toMatchObject({ error: { code: -32_602 } })
    expect(await get('dance')).toMatchObject({ error: { code: -32_602 } })
  })
})
