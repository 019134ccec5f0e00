// The protocol itself, without a board behind it: what is answered to which line, and in what order.
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

/** A client that says lines and hears answers; it is gone after `end`. */
function converse(backend: Partial<Backend> = {}) {
  const said: Uint8Array[] = []
  const heard: unknown[] = []
  let wake = (): void => {}
  let isOver = false
  async function* input(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = said.shift()
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
        heard.push(JSON.parse(line))
      },
    },
  )
  const say = (bytes: string | Uint8Array): void => {
    said.push(Buffer.from(bytes))
    wake()
  }
  return {
    say,
    heard,
    hears: async (count: number): Promise<unknown[]> => {
      await expect.poll(() => heard.length).toBeGreaterThanOrEqual(count)
      return heard
    },
    end: async (): Promise<unknown[]> => {
      isOver = true
      wake()
      await done
      return heard
    },
  }
}

/** Everything is said at once, and the client leaves. */
async function answers(lines: string | Uint8Array, backend: Partial<Backend> = {}): Promise<unknown[]> {
  const client = converse(backend)
  client.say(lines)
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
  ])('whoever asks for %s is offered %s', async (protocolVersion, offered) => {
    const [answer] = await answers(request(1, 'initialize', { protocolVersion, capabilities: {} }))
    expect(answer).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { protocolVersion: offered, serverInfo: { name: 'muster', version: '1.2.3' } },
    })
  })

  test.each(ROLES)('a %s gets short instructions', async (role) => {
    const [answer] = await answers(request(1, 'initialize', {}), { role })
    const { instructions } = (answer as { result: { instructions: string } }).result
    expect(instructions).toContain('kanban_')
    expect(instructions.length).toBeLessThan(2_000)
  })
})

describe('a line that cannot be read', () => {
  test.each<[string, string | Uint8Array, number, unknown]>([
    ['is no JSON', 'nonsense\n', -32_700, null],
    ['is no text', Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32_700, null],
    ['is no object', '7\n', -32_600, null],
    ['names no method', '{"jsonrpc":"2.0","id":4}\n', -32_600, 4],
    ['has an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping"}\n', -32_600, null],
    ['has no id at all but asks', '{"jsonrpc":"2.0","id":null,"method":"ping"}\n', -32_600, null],
    ['is an empty batch', '[]\n', -32_600, null],
  ])('%s: the client is told, and goes on', async (_, line, code, id) => {
    const client = converse()
    client.say(line)
    client.say(request(9, 'ping'))
    const heard = await client.end()
    expect(heard).toHaveLength(2)
    expect(heard).toContainEqual({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.any(String) as string },
    })
    expect(heard).toContainEqual({ jsonrpc: '2.0', id: 9, result: {} })
  })

  test('is skipped to its end if it is too long', async () => {
    const client = converse()
    const long = Buffer.alloc(1024 * 1024, 'x')
    for (let megabyte = 0; megabyte < 9; megabyte += 1) client.say(long)
    client.say(`\n${request(9, 'ping')}`)
    const heard = await client.end()
    expect(heard).toContainEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message: expect.stringContaining('attach') as string },
    })
    expect(heard).toContainEqual({ jsonrpc: '2.0', id: 9, result: {} })
    expect(heard).toHaveLength(2)
  })

  test('is ignored if it is not finished', async () => {
    expect(await answers(request(1, 'ping').trimEnd())).toEqual([])
  })

  test('is ignored if it is empty, and CRLF is accepted', async () => {
    expect(await answers(`\n\r\n${request(1, 'ping').trimEnd()}\r\n`)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })
})

test('split and joined messages are read one by one', async () => {
  const text = request('a', 'ping') + request('ä', 'ping')
  const client = converse()
  for (const byte of Buffer.from(text)) client.say(Uint8Array.of(byte))
  client.say(request(3, 'ping') + request(4, 'ping'))
  const ids = (await client.end()).map((answer) => (answer as { id: unknown }).id)
  expect(ids).toEqual(['a', 'ä', 3, 4])
})

test('a batch gets a batch of answers, without notifications', async () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'no/such' },
    'nonsense',
  ]
  const heard = await answers(`${JSON.stringify(batch)}\n`)
  expect(heard).toEqual([
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
  test('of an unknown tool is a protocol error', async () => {
    for (const name of ['kanban_dance', 'toString', undefined, 7])
      expect(await answers(request(1, 'tools/call', { name }))).toMatchObject([{ id: 1, error: { code: -32_602 } }])
  })

  test('that the board refuses returns the message and check output', async () => {
    const refused = new BoardError('checks_failed', 'Not done. Mend it.', { details: { output: 'line 3: boom' } })
    const [answer] = await answers(request(1, 'tools/call', { name: 'kanban_complete' }), {
      callTool: () => Promise.reject(refused),
    })
    expect(answer).toMatchObject({
      result: { isError: true, content: [{ text: 'Not done. Mend it. (checks_failed)\n\nline 3: boom' }] },
    })
  })

  test('that fails internally returns an error, and the next call works', async () => {
    const heard = await answers(request(1, 'tools/call', { name: 'kanban_show' }) + request(2, 'ping'), {
      callTool: () => Promise.reject(new TypeError('oops')),
    })
    expect(heard).toContainEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_603, message: 'Something went wrong in Muster itself: oops' },
    })
    expect(heard).toContainEqual({ jsonrpc: '2.0', id: 2, result: {} })
  })

  test('does not block others and finishes after the client leaves', async () => {
    const open: (() => void)[] = []
    const client = converse({ callTool: (name) => new Promise((resolve) => open.push(() => resolve({ name }))) })
    client.say(request(1, 'tools/call', { name: 'kanban_complete' }) + request(2, 'ping'))
    expect(await client.hears(1)).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }])
    const ended = client.end()
    open[0]?.()
    expect(await ended).toMatchObject([
      { id: 2 },
      { id: 1, result: { structuredContent: { name: 'kanban_complete' } } },
    ])
  })

  test('that is cancelled gets no answer and frees its id', async () => {
    const open: (() => void)[] = []
    const client = converse({ callTool: (name) => new Promise((resolve) => open.push(() => resolve({ name }))) })
    const cancel = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })}\n`
    client.say(request(1, 'tools/call', { name: 'kanban_show' }) + cancel + request(2, 'ping'))
    await client.hears(1)
    open[0]?.()
    client.say(request(3, 'ping'))
    await client.hears(2)
    // Nothing of that name is open any more: this must not swallow what comes later.
    client.say(cancel + request(1, 'ping'))
    expect(await client.end()).toEqual([
      { jsonrpc: '2.0', id: 2, result: {} },
      { jsonrpc: '2.0', id: 3, result: {} },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
  })

  test('waits if sixteen calls are already open', async () => {
    let most = 0
    let now = 0
    const open: (() => void)[] = []
    const client = converse({
      callTool: () => {
        most = Math.max(most, ++now)
        return new Promise((resolve) => open.push(() => resolve({ now: now-- })))
      },
    })
    for (let id = 0; id < 40; id += 1) client.say(request(id, 'tools/call', { name: 'kanban_show' }))
    while (client.heard.length < 40) {
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
    ['orchestrator', 14],
    ['assistant', 14],
  ] as const)('a %s sees %i', async (role, count) => {
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
  test('a refused resource and a failing one give different errors', async () => {
    const readResource: Backend['readResource'] = async (uri) => {
      if (uri === 'muster://gone') throw new BoardError('attachment_not_found', 'It is gone.')
      throw new TypeError('oops')
    }
    const read = (uri: unknown) => answers(request(1, 'resources/read', { uri }), { readResource })
    expect(await read('muster://gone')).toMatchObject([{ error: { code: -32_002, message: 'It is gone.' } }])
    expect(await read('muster://other')).toMatchObject([{ error: { code: -32_603 } }])
    expect(await read(7)).toMatchObject([{ error: { code: -32_602 } }])
  })

  test('prompts are filled in and name missing arguments', async () => {
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
