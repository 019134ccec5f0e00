/** A data folder with a running `muster up`. Tests read and change its board over HTTP and with commands. */
import { expect } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import type { TestHome } from './cli.ts'
import { startHttpServer } from './http-server.ts'

export interface HttpReply {
  readonly status: number
  readonly body: unknown
}

export interface ServedHome {
  readonly home: TestHome
  /** Sends a request, such as `send('POST /api/tasks', { title: 'Hello' })`. */
  send(request: string, body?: unknown): Promise<HttpReply>
  /** Reads the body of a GET request, which must succeed. */
  read<T>(path: string): Promise<T>
  /** Runs a command with `--json` and returns its answer. */
  json<T>(...argv: string[]): Promise<T>
  /** Expects the same of a card on the command line and over HTTP. Returns the card. */
  expectCard(id: TaskId, expected: object): Promise<TaskDetails>
}

/** Starts `muster up` with short intervals. */
export async function serve(home: TestHome, env: NodeJS.ProcessEnv = {}): Promise<ServedHome> {
  const token = (await home.runInline('tokens', 'create', 'story', '--scope', 'admin')).stdout.trim()
  const { url } = await startHttpServer(home, { env: { MUSTER_SWEEP_MS: '200', ...env } })
  const send: ServedHome['send'] = async (request, body) => {
    const [method = 'GET', path = '/'] = request.split(' ')
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  const read = async <T>(path: string): Promise<T> => {
    const { status, body } = await send(`GET ${path}`)
    expect([path, status, status === 200 ? null : body]).toEqual([path, 200, null])
    return body as T
  }
  const json = async <T>(...argv: string[]): Promise<T> => {
    const { code, stdout, stderr } = await home.runInline(...argv, '--json')
    expect([argv, code, code === 0 ? '' : stderr]).toEqual([argv, 0, ''])
    return JSON.parse(stdout) as T
  }
  const expectCard: ServedHome['expectCard'] = async (id, expected) => {
    expect(await read(`/api/tasks/${id}`)).toMatchObject(expected)
    const card = await json<TaskDetails>('show', id)
    expect(card).toMatchObject(expected)
    return card
  }
  return { home, send, read, json, expectCard }
}
