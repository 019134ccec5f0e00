/** Starts `muster up --no-dispatch` on a filled data folder, for requests over HTTP. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { unwrap } from '../../src/core/command.ts'
import { openStore } from '../../src/storage/open.ts'
import { hashToken, newToken } from '../../src/util/mint.ts'
import { childEnvironment } from '../../test/helpers/processes.ts'
import { BOARD } from '../../test/helpers/places.ts'

const BIN = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))

export interface HttpUp {
  readonly pid: number
  readonly store: string
  /** Requests a path with a token, and returns the body. */
  readonly get: (path: string) => Promise<string>
  stop(): Promise<void>
}

export async function startHttpUp(home: string): Promise<HttpUp> {
  const store = `${home}/muster.db`
  const token = await createToken(store)
  const env = { ...childEnvironment(), MUSTER_HOME: home, MUSTER_USER: 'ada' }
  const flags = ['up', '--no-dispatch', '--no-open', '--port', '0', '--board', BOARD]
  const child = spawn(process.execPath, [BIN, ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const port = await new Promise<number>((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)
        if (found !== null) resolve(Number(found[1]))
      })
    void ended.then(() => reject(new Error(`muster up ended: ${output}`)))
  })
  const client = httpClient(port, { authorization: `Bearer ${token}` })
  return {
    pid: child.pid ?? 0,
    store,
    get: client.get,
    stop: async () => {
      client.close()
      child.kill('SIGINT')
      await ended
    },
  }
}

/** A client that keeps its connections open, as a page or a script does. */
export function httpClient(port: number, headers: Readonly<Record<string, string>> = {}) {
  const agent = new Agent({ keepAlive: true })
  const get = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString()
          if (response.statusCode === 200) resolve(text)
          else reject(new Error(`${path}: ${response.statusCode} ${text}`))
        })
      })
      asked.on('error', reject)
      asked.end()
    })
  return { get, close: () => agent.destroy() }
}

async function createToken(path: string): Promise<string> {
  const store = await openStore({ engine: 'sqlite', path }, { mode: 'write' })
  const token = newToken()
  const input = { id: 'k_0000000000', kind: 'token', name: 'bench', scope: 'read', hash: hashToken(token) } as const
  const actor = { kind: 'person', name: 'ada' } as const
  unwrap(await store.decide({ verb: 'create_token', board: BOARD, actor, input: { ...input, expiresAt: null } }))
  await store.close()
  return token
}
