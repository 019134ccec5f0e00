import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { COMMAND_INDEX } from '../../src/cli/command-index.ts'
import type { Arg, CliCommand } from '../../src/cli/command.ts'
import { isServed } from '../../src/cli/remote/served.ts'
import { makeCliHome } from '../helpers/in-process.ts'
import type { CliHome } from '../helpers/in-process.ts'
import { ThroughUrl } from '../helpers/through-url.ts'

const MISSING = 't_0000000000'

interface Task {
  readonly id: string
  readonly status: string
}

interface RemoteHome extends Pick<CliHome, 'home' | 'around'> {
  readonly url: string
  readonly token: string
  /** Runs a command through the server. The data folder of the command is empty. */
  readonly remote: (...argv: string[]) => ReturnType<CliHome['muster']>
  readonly local: CliHome['muster']
  readonly run: CliHome['run']
}

const closers: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

async function makeRemoteHome(): Promise<RemoteHome> {
  const whenOver = (close: () => void | Promise<void>): void => void closers.push(close)
  const [server, client] = [makeCliHome(whenOver), makeCliHome(whenOver)]
  await server.muster('init')
  const through = new ThroughUrl(whenOver)
  const variables = await through.variablesFor(['list'], { MUSTER_HOME: server.home, MUSTER_USER: 'ada' })
  const { MUSTER_URL: url = '', MUSTER_API_TOKEN: token = '' } = variables
  const remote: RemoteHome['remote'] = (...argv) =>
    client.run(['--url', url, ...argv], { env: { MUSTER_API_TOKEN: token } })
  return { url, token, remote, local: server.muster, run: client.run, home: server.home, around: client.around }
}

let at: RemoteHome
beforeAll(async () => {
  at = await makeRemoteHome()
})

async function created(title: string): Promise<Task> {
  return (await at.remote('create', title, '--json')).json() as Task
}

describe('a command with --url', () => {
  test('a card is created, read, changed and completed on the server', async () => {
    const { id } = await created('Paint the fence')
    expect(await at.remote('edit', id, '--priority', '5')).toMatchObject({ code: 0, stderr: '' })
    expect((await at.remote('complete', id, '--summary', 'Painted.')).stdout).toBe(`Completed ${id}\n`)
    expect((await at.local('show', id, '--json')).json()).toMatchObject({ status: 'done', priority: 5 })
  })

  test("the output of a remote command is the same as on the server's machine", async () => {
    await created('Sort the bolts')
    for (const argv of [['list'], ['list', '--json'], ['boards'], ['stats', '--json'], ['agents', '--json'], ['inbox']])
      expect({ argv, ...stable(await at.remote(...argv)) }).toEqual({ argv, ...stable(await at.local(...argv)) })
  })

  test('the text of --body @file is read on this machine', async () => {
    const file = join(at.around, 'plan.md')
    writeFileSync(file, 'First dig.\nThen plant.\n')
    const { id } = (await at.remote('create', 'Plant a tree', '--body', `@${file}`, '--json')).json() as Task
    expect((await at.local('show', id, '--json')).json()).toMatchObject({ body: 'First dig.\nThen plant.\n' })
  })

  test('files can be uploaded, downloaded and removed on the server', async () => {
    const { id } = await created('Read the plan')
    const file = join(at.around, 'notes.txt')
    const bytes = Buffer.from([0, 255, 10, 13, 128])
    writeFileSync(file, bytes)
    expect((await at.remote('attach', id, file)).stdout).toBe(`Attached notes.txt (5 B) to ${id}\n`)
    const folder = join(at.around, 'downloads')
    expect(await at.remote('attachments', id, '--to', folder)).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'notes.txt'))).toEqual(bytes)
    expect((await at.remote('detach', id, 'notes.txt')).code).toBe(0)
    expect((await at.remote('attachments', id, '--json')).json()).toEqual([])
  })

  test('an upload over the limit is refused before it is read', async () => {
    const { id } = await created('Too big')
    const file = join(at.around, 'huge.bin')
    writeFileSync(file, Buffer.alloc(26 * 1024 * 1024))
    const refused = await at.remote('attach', id, file)
    expect(stable(refused)).toEqual(stable(await at.local('attach', id, file)))
    expect(refused.code).not.toBe(0)
  })

  test('a remote command on several cards prints a result for each card', async () => {
    const { id } = await created('One of two')
    const answer = await at.remote('archive', id, 't_0000000000', '--json')
    expect(answer.code).toBe(1)
    expect(answer.json()).toMatchObject([
      { id, ok: true },
      { id: 't_0000000000', ok: false, error: { code: 'task_not_found' } },
    ])
  })

  test('a list longer than a page of the server is printed completely', async () => {
    expect((await at.remote('boards', 'create', 'many')).code).toBe(0)
    const titles = Array.from({ length: 620 }, (_, nth) => `Card ${nth}`).join('\n')
    await at.run(['--url', at.url, '--board', 'many', 'create', '--each', '-'], {
      stdin: titles,
      env: { MUSTER_API_TOKEN: at.token },
    })
    expect((await at.remote('list', '--board', 'many', '--json')).json()).toHaveLength(620)
    expect((await at.remote('list', '--board', 'many', '--limit', '7', '--json')).json()).toHaveLength(7)
  })

  test('MUSTER_URL has the effect of --url, and --board chooses the board of the server', async () => {
    const env = { MUSTER_URL: at.url, MUSTER_API_TOKEN: at.token, MUSTER_BOARD: 'default' }
    expect(await at.run(['list'], { env })).toMatchObject({ code: 0 })
    expect(await at.run(['list', '--board', 'absent'], { env })).toMatchObject({
      code: 3,
      stderr: 'muster: There is no board absent. To create it: muster boards create absent\n',
    })
  })

  test('the past events of a card are printed', async () => {
    const { id } = await created('Watched')
    await at.remote('hold', id)
    const { stdout } = await at.remote('tail', id, '--no-follow', '--json')
    const kinds = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind)
    expect(kinds).toEqual(['created', 'held'])
  })

  test('`tail` and `watch` print new events until the output is closed', async () => {
    const { id } = await created('Followed')
    for (const [argv, past] of [
      [['tail', id], 1],
      [['watch', '--kind', 'commented'], 0],
    ] as const) {
      const lines: string[] = []
      let end = (): void => {}
      const done = at.run(['--url', at.url, ...argv, '--json'], {
        env: { MUSTER_API_TOKEN: at.token },
        world: {
          stdout: { write: (text) => lines.push(text) },
          onInterrupt: (callback) => {
            end = callback
            return () => {}
          },
        },
      })
      await expect.poll(() => lines.length).toBe(past)
      // A watch starts at the time of its first request, which prints nothing. So comments are added until the watch
      // prints one.
      const comment = setInterval(() => void at.local('comment', id, 'Hello.'), 200)
      await expect.poll(() => lines.some((line) => line.includes('"commented"'))).toBe(true)
      clearInterval(comment)
      end()
      expect((await done).code).toBe(0)
      await at.local('undelete', id)
    }
  })

  test('`muster` without a command shows the board of the server on a terminal', async () => {
    const terminal = { columns: 80, rows: 24, colors: false }
    await created('Shown at once')
    const { code, stdout } = await at.run(['--url', at.url], {
      env: { MUSTER_API_TOKEN: at.token },
      world: { terminal },
    })
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Shown at once') })
  })

  test('`--url` is refused inside a run', async () => {
    const env = { MUSTER_RUN: 'r_0000000000', MUSTER_NONCE: 'n', MUSTER_SOCKET: '/tmp/none' }
    expect((await at.run(['--url', at.url, 'list'], { env })).stderr).toContain('leave out --url')
  })
})

/** Returns the exit code and the output, without the ages of cards, which change with time. */
const stable = ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
  code,
  stdout: stdout.replaceAll(/"(now|oldestReadyAgeMs)": \d+/g, '"$1": 0'),
  stderr,
})

test('every command that a server runs sends a request that the server understands', async () => {
  const { id } = await created('Asked for everything')
  const misunderstood: unknown[] = []
  for (const { name, load } of COMMAND_INDEX) {
    const command = (await load()).command as unknown as CliCommand
    if (command.run === undefined || !isServed(command.operation) || FOLLOWS.has(name)) continue
    const args = await sampleArguments(command)
    for (const words of [args, args.map((word) => (word === MISSING ? id : word))]) {
      const line = [...name.split(' '), ...(LINES[name] ?? words)]
      const { code, stderr } = await at.remote(...line, '--json')
      const isSent = code === 0 || (!stderr.includes('has no field') && !UNSENT.test(stderr))
      if (!isSent) misunderstood.push({ line: line.join(' '), stderr })
    }
  }
  expect(misunderstood).toEqual([])
})

/** The arguments of commands that need certain texts or flags. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  'boards delete': ['default', '--yes'],
  'boards set': ['default', 'maxRunning=2'],
  block: [MISSING, '--reason', 'Wait.'],
  reorder: [MISSING, '--first'],
  attach: [MISSING, fileURLToPath(import.meta.url)],
  create: ['A card'],
  dispatch: ['--nudge'],
  edit: [MISSING, '--priority', '1'],
  'recur add': ['daily 9:00', '--title', 'A card'],
  swarm: ['A goal', '--workers', 'coder', '--verifier', 'coder', '--synthesizer', 'coder'],
  apply: ['release', '--set', 'version=1'],
  mention: ['c_0000000000'],
}
const UNSENT = /"code": "(invalid_input|internal|route_not_found|method_not_allowed|server_unsuitable)"/

const FOLLOWS: ReadonlySet<string> = new Set(['tail', 'watch'])

describe('commands about this machine', () => {
  test('every command about a machine is refused with the address of the server', async () => {
    const accepted: string[] = []
    for (const { name, load } of COMMAND_INDEX) {
      const command = (await load()).command as unknown as CliCommand
      if (command.run === undefined || isServed(command.operation)) continue
      const { code, stderr } = await at.remote(...name.split(' '), ...(await sampleArguments(command)))
      const sentence = `muster: The command ${name} works with the files of a machine. Run it on the machine of ${at.url}, without --url.\n`
      if (code !== 1 || stderr !== sentence) accepted.push(`${name}: ${code} ${stderr}`)
    }
    expect(accepted).toEqual([])
  })

  test.each([
    [['doctor', '--fix'], 'A server runs only `muster doctor` without --fix.'],
    [['dispatch'], 'A server runs only `muster dispatch --nudge` and `muster dispatch --dry-run`.'],
    [['backup', 'create', '--to', '/tmp/x.db'], 'A server runs only `muster backup create` without --to.'],
    [['boards', 'create', 'other', '--switch'], 'The command boards switch works with the files of a machine.'],
  ])('%j is refused, although another form of the command is served', async (argv, sentence) => {
    expect(await at.remote(...argv)).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
    expect((await at.local('boards', '--json')).stdout).not.toContain('"other"')
  })

  test('help and the version need no server', async () => {
    expect((await at.run(['--url', 'http://127.0.0.1:9', 'help'])).code).toBe(0)
    expect((await at.run(['--url', 'http://127.0.0.1:9', 'list', '--help'])).code).toBe(0)
  })
})

/** Returns a value that each required argument accepts. */
async function sampleArguments({ args = {} }: CliCommand): Promise<readonly string[]> {
  const required = Object.values(args).filter(({ arity }) => arity !== 'optional')
  return Promise.all(required.map(sample))
}

async function sample({ read }: Arg<unknown>): Promise<string> {
  for (const typed of [MISSING, 'claude', 'bash', 'starter'])
    try {
      await read([typed], { readStdin: async () => new Uint8Array(), now: Date.now })
      return typed
    } catch {
      // The argument needs another value, so the next sample is tried.
    }
  return 'x'
}

/** Starts a server on a free port that answers every request in the same way. */
async function fake(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a server that cannot be used', () => {
  const failure = async (url: string, env: Record<string, string> = { MUSTER_API_TOKEN: at.token }) => {
    const { code, stderr, stdout } = await at.run(['--url', url, 'list'], { env })
    expect(stdout).toBe('')
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    return { code, message: stderr.trimEnd() }
  }

  test.each(['127.0.0.1:6878', 'ftp://host', '', 'http://'])('the address "%s" is refused', async (url) => {
    expect(await failure(url)).toMatchObject({
      code: 2,
      message: expect.stringContaining('is not the address of a server'),
    })
  })

  test('an address with a password is refused without printing it', async () => {
    const { code, message } = await failure('http://ada:s3cret@127.0.0.1:1')
    expect(code).toBe(2)
    expect(message).not.toContain('s3cret')
  })

  test('a command without a running server prints how to start a server', async () => {
    const url = await fake(() => {})
    const closed = url.replace(/\d+$/, '59999')
    expect(await failure(closed)).toEqual({
      code: 75,
      message: `muster: No server runs at ${closed}. Check --url, or start Muster on its machine with: muster up`,
    })
  })

  test('another program on the port is reported as not Muster', async () => {
    const url = await fake((_, response) => response.end('<h1>Hello</h1>'))
    expect(await failure(url)).toEqual({
      code: 1,
      message: `muster: The server at ${url} does not answer as Muster (status 200). Check --url.`,
    })
  })

  test('a connection that breaks off is reported as temporary', async () => {
    const url = await fake((request) => request.socket.destroy())
    expect(await failure(url)).toMatchObject({
      code: 75,
      message: expect.stringContaining(`The connection to ${url} failed`),
    })
  })

  test('a missing and a wrong token have different remedies', async () => {
    expect(await failure(at.url, {})).toMatchObject({
      code: 1,
      message: expect.stringContaining('set MUSTER_API_TOKEN.'),
    })
    expect(await failure(at.url, { MUSTER_API_TOKEN: 'x'.repeat(30) })).toMatchObject({
      code: 1,
      message: expect.stringContaining('does not accept the token in MUSTER_API_TOKEN'),
    })
  })

  test('a token without the scope is reported with the scope that is needed', async () => {
    const token = (await at.local('tokens', 'create', 'reader', '--scope', 'read')).stdout.trim()
    const refused = await at.run(['--url', at.url, 'create', 'No'], { env: { MUSTER_API_TOKEN: token } })
    expect(refused).toMatchObject({
      code: 1,
      stderr:
        'muster: This command needs a token with scope operate; MUSTER_API_TOKEN has read. Create one on the machine of the server: muster tokens create <name> --scope operate\n',
    })
  })

  test('https to a server without TLS is reported', async () => {
    const url = (await fake((_, response) => response.end())).replace('http:', 'https:')
    expect(await failure(url)).toEqual({
      code: 1,
      message: `muster: The server at ${url} does not use TLS. Write http:// in --url.`,
    })
  })

  test('a server of another version that lacks a route is named with its version', async () => {
    const url = await fake(({ url: path }, response) => {
      const isPing = path === '/healthz'
      const problem = { code: 'route_not_found', detail: 'There is no route GET /api/tasks.', status: 404, details: {} }
      response.writeHead(isPing ? 200 : 404, {
        'content-type': isPing ? 'application/json' : 'application/problem+json',
      })
      response.end(JSON.stringify(isPing ? { status: 'ok', program: 'muster', version: '0.0.9' } : problem))
    })
    expect(await failure(url)).toEqual({
      code: 1,
      message: `muster: The server at ${url} runs Muster 0.0.9, which cannot do this; this is version 1.2.3. Install the same version on both machines.`,
    })
  })

  test('an error with --json is one JSON value', async () => {
    const { stderr } = await at.run(['--url', at.url, 'list', '--json'], {})
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'sign_in_required' } })
  })
})

test('a remote command neither needs nor creates a data folder on this machine', async () => {
  mkdirSync(join(at.around, 'nothing'), { recursive: true })
  const home = join(at.around, 'nothing', 'home')
  const env = { MUSTER_HOME: home, MUSTER_API_TOKEN: at.token }
  expect((await at.run(['--url', at.url, 'create', 'Elsewhere'], { env })).code).toBe(0)
  expect(() => readFileSync(join(home, 'muster.db'))).toThrow('ENOENT')
})
