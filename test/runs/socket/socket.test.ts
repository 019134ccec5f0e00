import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { BoardError } from '../../../src/core/errors.ts'
import { chooseSocketPath, removeSocket } from '../../../src/runs/socket/address.ts'
import { connectToRun } from '../../../src/runs/socket/client.ts'
import { serveRun } from '../../../src/runs/socket/server.ts'
import type { Service } from '../../../src/runs/socket/server.ts'

const NONCE = 'the-right-nonce'
let path = ''
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-socket-'))
  path = join(folder, 's')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const echo: Service['answer'] = async (op, input) => ({ op, input })

async function serve(answer: Service['answer'] = echo, limits: Partial<Service> = {}) {
  const server = await serveRun({ path, nonce: NONCE, answer, ...limits })
  onTestFinished(() => server.close())
  return server
}

async function connect(how: { nonce?: string; timeoutMs?: number } = {}) {
  const { nonce = NONCE, ...rest } = how
  const connection = await connectToRun({ run: 'r_0123456789', socket: path, nonce }, rest)
  onTestFinished(() => connection.close())
  return connection
}

/** Sends bytes unchanged, and reads until the server closes the connection. */
async function raw(bytes: string | Uint8Array): Promise<unknown[]> {
  const socket = createConnection(path)
  socket.on('error', () => {})
  socket.end(bytes)
  const lines = (await text(socket)).split('\n').filter((line) => line !== '')
  return lines.map((line): unknown => JSON.parse(line))
}

/** Makes requests that wait until the test answers them. */
function heldRequests() {
  const open = new Map<string, (output: unknown) => void>()
  const answer: Service['answer'] = (op) => new Promise((resolve) => open.set(op, resolve))
  const asked = async (op: string): Promise<void> => {
    await expect.poll(() => open.has(op)).toBe(true)
  }
  return { answer, asked, reply: (op: string, output: unknown) => open.get(op)?.(output) }
}

describe('requests', () => {
  test('a request gets the result or the error of its operation', async () => {
    await serve(async (op, input) => {
      if (op === 'refuse') throw new BoardError('wrong_status', 'It is done.', { details: { id: 't_1' } })
      if (op === 'break') throw new TypeError('oops')
      return { op, input }
    })
    const connection = await connect()
    expect(await connection.ask('show', { task: 't_1' })).toEqual({ op: 'show', input: { task: 't_1' } })
    await expect(connection.ask('refuse', {})).rejects.toMatchObject({
      code: 'wrong_status',
      message: 'It is done.',
      details: { id: 't_1' },
    })
    await expect(connection.ask('break', {})).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('oops'),
    })
  })

  test('requests on one or two connections may be answered out of order', async () => {
    const { answer, asked, reply } = heldRequests()
    await serve(answer)
    const [one, two] = [await connect(), await connect()]
    const [slow, quick, other] = [one.ask('slow', {}), one.ask('quick', {}), two.ask('other', {})]
    for (const op of ['slow', 'quick', 'other']) await asked(op)
    reply('quick', 1)
    expect(await quick).toBe(1)
    reply('other', 2)
    expect(await other).toBe(2)
    reply('slow', 3)
    expect(await slow).toBe(3)
  })

  test('a request without an answer fails after the timeout', async () => {
    const { answer } = heldRequests()
    await serve(answer, { closeMs: 1 })
    const connection = await connect({ timeoutMs: 1 })
    await expect(connection.ask('never', {})).rejects.toMatchObject({ code: 'store_unreachable', retryable: true })
  })

  test('a request with the longest body arrives complete', async () => {
    await serve()
    const body = '\u0001'.repeat(1_000_000)
    expect(await (await connect()).ask('create', { body })).toEqual({ op: 'create', input: { body } })
  })

  test('a request that is too long is refused before it is sent', async () => {
    await serve()
    const asked = (await connect()).ask('create', { body: 'x'.repeat(9_000_000) })
    await expect(asked).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('the nonce', () => {
  const good = { v: 1, id: 1, nonce: NONCE, op: 'show', input: {} }
  const wrongNonce = { code: 'run_over', message: expect.stringContaining('not its nonce'), details: {} }

  test.each([
    ['another nonce', { ...good, nonce: 'the-wrong-nonce' }],
    ['a longer nonce', { ...good, nonce: `${NONCE}x` }],
    ['no nonce', { ...good, nonce: undefined }],
    ['a nonce of another type', { ...good, nonce: [NONCE] }],
    ['another version and another nonce', { ...good, v: 9, nonce: '' }],
  ])('a request with %s gets the error for a wrong nonce', async (_, request) => {
    await serve()
    expect(await raw(`${JSON.stringify(request)}\n`)).toEqual([{ id: 1, error: wrongNonce }])
  })

  test.each([['not JSON'], ['[1]'], ['null'], ['{"id":{}}'], ['']])(
    'an invalid line gets the error for a wrong nonce, and the connection continues: %j',
    async (line) => {
      await serve()
      expect(await raw(`${line}\n${JSON.stringify(good)}\n`)).toEqual([
        { id: null, error: wrongNonce },
        { id: 1, output: { op: 'show', input: {} } },
      ])
    },
  )

  test('a request with invalid UTF-8 is refused', async () => {
    await serve()
    const [before, after] = JSON.stringify({ ...good, op: 'a|b' }).split('|')
    const bytes = Buffer.concat([Buffer.from(before ?? ''), Buffer.of(0xff), Buffer.from(`${after}\n`)])
    expect(await raw(bytes)).toEqual([{ id: null, error: wrongNonce }])
  })

  test('a request with another protocol version is refused with its own error', async () => {
    await serve()
    expect(await raw(`${JSON.stringify({ ...good, v: 2 })}\n`)).toMatchObject([
      { id: 1, error: { code: 'not_supported' } },
    ])
  })

  test('connecting without a nonce or a socket fails with run_over', async () => {
    const server = await serve()
    const inside = { run: 'r_0123456789', socket: path, nonce: NONCE }
    await expect(connectToRun({ ...inside, nonce: null })).rejects.toMatchObject({ code: 'run_over' })
    await expect(connectToRun({ ...inside, socket: null })).rejects.toMatchObject({ code: 'run_over' })
    await expect(connectToRun({ ...inside, socket: dirname(path) })).rejects.toMatchObject({ code: 'run_over' })
    await server.close()
    await expect(connectToRun(inside)).rejects.toMatchObject({ code: 'run_over', details: { runId: inside.run } })
  })

  test('connecting to the socket of a killed supervisor fails with run_over', async () => {
    const dead = createServer().listen(path)
    await once(dead, 'listening')
    // A second link to the socket stays after the server has closed, like the socket file of a killed process.
    linkSync(path, `${path}2`)
    dead.close()
    await once(dead, 'close')
    await expect(connectToRun({ run: 'r_1', socket: `${path}2`, nonce: NONCE })).rejects.toMatchObject({
      code: 'run_over',
    })
  })
})

describe('connections', () => {
  test('a connection is closed if its line is too long, and other connections continue', async () => {
    await serve(echo, { requestBytes: 1000 })
    const other = await connect()
    expect(await raw('x'.repeat(5000))).toMatchObject([{ id: null, error: { code: 'invalid_input' } }])
    expect(await raw(`${'x'.repeat(1001)}\n`)).toMatchObject([{ id: null, error: { code: 'invalid_input' } }])
    expect(await other.ask('show', {})).toEqual({ op: 'show', input: {} })
  })

  test('a connection that breaks does not affect other connections', async () => {
    const { answer, asked, reply } = heldRequests()
    await serve(answer)
    const gone = await connect()
    const lost = gone.ask('lost', {})
    await asked('lost')
    gone.close()
    await expect(lost).rejects.toMatchObject({ code: 'run_over' })
    reply('lost', 'x'.repeat(1_000_000))
    const half = createConnection(path)
    half.write('{"v":1,')
    half.destroy()
    const next = (await connect()).ask('next', {})
    await asked('next')
    reply('next', 1)
    expect(await next).toBe(1)
  })

  test('a connection beyond the limit is refused with a retryable error', async () => {
    await serve(echo, { connections: 1 })
    const first = await connect()
    await first.ask('show', {})
    const second = await connect()
    await expect(second.ask('show', {})).rejects.toMatchObject({ code: 'capped', retryable: true })
    await expect(second.ask('show', {})).rejects.toMatchObject({ code: 'capped' })
    first.close()
    const again = async () => (await connect()).ask('show', {})
    await expect.poll(() => again().catch(() => null)).toEqual({ op: 'show', input: {} })
  })

  test('all requests are answered, with at most 16 at a time', async () => {
    let most = 0
    let now = 0
    await serve(async (_, input) => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
      return input
    })
    const connection = await connect()
    const asked = Array.from({ length: 100 }, (_, at) => connection.ask('n', at))
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 100 }, (_, at) => at))
    expect(most).toBeLessThanOrEqual(16)
  })
})

describe('closing', () => {
  test('a server that closes answers current requests and refuses new requests', async () => {
    const { answer, asked, reply } = heldRequests()
    const server = await serve(answer)
    const connection = await connect()
    const last = connection.ask('last', {})
    await asked('last')
    const closed = server.close()
    const late = connection.ask('late', {})
    late.catch(() => {})
    reply('last', 'answered')
    expect(await last).toBe('answered')
    await closed
    await expect(late).rejects.toMatchObject({ code: 'run_over' })
    expect(existsSync(path)).toBe(false)
  })

  test('a server that closes does not wait forever for a stuck request', async () => {
    const { answer, asked } = heldRequests()
    const server = await serve(answer, { closeMs: 1 })
    const stuck = (await connect()).ask('stuck', {})
    await asked('stuck')
    await Promise.all([server.close(), expect(stuck).rejects.toMatchObject({ code: 'run_over' })])
  })
})

describe('the socket path', () => {
  test('the socket is in the run directory, and only its owner may use it', async () => {
    expect(chooseSocketPath({ path: dirname(path) })).toBe(path)
    await serve()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('if the path of the run directory is too long, a temporary folder is used', async () => {
    const deep = join(dirname(path), 'd'.repeat(100))
    path = chooseSocketPath({ path: deep })
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(100)
    expect(path).not.toContain('ddd')
    expect(chooseSocketPath({ path: deep })).not.toBe(path)
    expect(existsSync(dirname(path))).toBe(false)
    const server = await serve()
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    expect(await (await connect()).ask('show', {})).toEqual({ op: 'show', input: {} })
    await server.close()
    expect(existsSync(dirname(path))).toBe(false)
  })

  test('a temporary folder that already exists is not used', async () => {
    path = chooseSocketPath({ path: 'd'.repeat(100) })
    mkdirSync(dirname(path))
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    await expect(serve()).rejects.toThrow('EEXIST')
  })

  test('removing a socket deletes its empty folder, but no other file', async () => {
    path = chooseSocketPath({ path: 'd'.repeat(100) })
    mkdirSync(path, { recursive: true })
    onTestFinished(() => rmSync(dirname(path), { recursive: true, force: true }))
    await removeSocket(path)
    expect(existsSync(path)).toBe(true)
    rmSync(path, { recursive: true })
    await removeSocket(path)
    expect(existsSync(dirname(path))).toBe(false)
  })
})
