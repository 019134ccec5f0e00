/**
 * Sends the commands of a test through a server. With `MUSTER_TEST_THROUGH=url`, the test homes do this for every
 * command that is not about this machine, so that the tests of the commands also test `--url`.
 */
import { existsSync } from 'node:fs'
import { test } from 'vitest'
import { COMMAND_INDEX } from '../../src/cli/command-index.ts'
import type { CliCommand } from '../../src/cli/command.ts'
import { findCommand } from '../../src/cli/find-command.ts'
import { isServed } from '../../src/cli/remote/served.ts'
import type { World } from '../../src/cli/world.ts'
import { loadOptions } from '../../src/config/load.ts'
import { BoardError } from '../../src/core/errors.ts'
import { startServer } from '../../src/http/server.ts'
import type { RunningServer, ServeTarget } from '../../src/operations/machine/server-port.ts'
import { createToken } from '../../src/operations/tokens/create-token.ts'
import { parseLocation } from '../../src/storage/location.ts'
import { openStore } from '../../src/storage/open.ts'
import type { Store } from '../../src/storage/store.ts'
import type { WhenOver } from './when-over.ts'

type Env = World['env']

export const isThroughUrl = process.env['MUSTER_TEST_THROUGH'] === 'url'

/**
 * Runs a test of something that only this machine has, such as its folders. Such a test is skipped when commands go
 * through a server.
 */
export const testHere: typeof test = isThroughUrl ? (test.skip as typeof test) : test

interface TestServer {
  readonly server: RunningServer
  readonly store: Store
  readonly target: ServeTarget
  readonly tokens: Map<string, string>
}

export class ThroughUrl {
  readonly #servers = new Map<string, Promise<TestServer>>()
  readonly #ports: Pick<World, 'checker'> & Partial<Pick<World, 'dispatcher'>>

  constructor(whenOver: WhenOver, ports: Pick<World, 'checker'> & Partial<Pick<World, 'dispatcher'>> = {}) {
    this.#ports = ports
    whenOver(() => this.#close())
  }

  /**
   * Returns the variables with which the command uses a server. The result is empty if the command works on this
   * machine.
   */
  async variablesFor(argv: readonly string[], env: Env): Promise<Readonly<Record<string, string>>> {
    const isHere = env['MUSTER_RUN'] !== undefined || !(await isForServer(argv)) || !(await hasStore(env))
    const started = isHere ? null : await this.#serverFor(env)
    if (started === null) return {}
    const options = await loadOptions(env)
    const { server, store, target, tokens } = started
    const token = tokens.get(options.user) ?? (await tokenOf(store, target, options.user))
    tokens.set(options.user, token)
    return { MUSTER_URL: server.url, MUSTER_API_TOKEN: token }
  }

  /** Starts the server when the store exists, so that a test does not notice its token as a change. */
  async prepare(env: Env): Promise<void> {
    const { MUSTER_URL: _, ...own } = await this.variablesFor(['list'], env)
    if (own.MUSTER_API_TOKEN === undefined) return
    const started = await this.#serverFor(env)
    // The first use of the token is recorded now. The test, and with it the server, may have ended in the meantime.
    await fetch(`${started?.server.url}/api/boards`, {
      headers: { authorization: `Bearer ${own.MUSTER_API_TOKEN}` },
    }).catch(() => null)
  }

  /**
   * Returns the server for a set of options. The board and the user come from the request. Null means that the store
   * cannot be used.
   */
  async #serverFor(env: Env): Promise<TestServer | null> {
    const { MUSTER_BOARD: _board, MUSTER_USER: _user, ...own } = env
    const key = JSON.stringify(Object.entries(own).filter(([name]) => name.startsWith('MUSTER_')))
    const known = this.#servers.get(key) ?? this.#start(own)
    this.#servers.set(key, known)
    try {
      return await known
    } catch (error) {
      this.#servers.delete(key)
      if (error instanceof BoardError) return null
      throw error
    }
  }

  async #start(env: Env): Promise<TestServer> {
    const options = await loadOptions(env)
    const store = await openStore(parseLocation(options.store), { mode: 'write' })
    const { dispatcher = () => Promise.reject(new Error('this test has no dispatcher')), checker } = this.#ports
    const target = {
      store,
      options,
      env,
      version: '1.2.3',
      dispatcher,
      ...(checker !== undefined && { checker }),
    }
    const server = await startServer(target, { host: '127.0.0.1', port: 0, tls: null, insecure: false }, 'no dashboard')
    return { server, store, target, tokens: new Map() }
  }

  async #close(): Promise<void> {
    for (const starting of this.#servers.values()) {
      const started = await starting.catch(() => null)
      await started?.server.stop()
      await started?.store.close({ exiting: true })
    }
  }
}

async function hasStore(env: Env): Promise<boolean> {
  const options = await loadOptions(env).catch(() => null)
  if (options === null) return false
  const location = parseLocation(options.store)
  return location.engine === 'postgres' || existsSync(location.path)
}

async function tokenOf(store: Store, { options }: ServeTarget, user: string): Promise<string> {
  const context = { store, options, board: 'default', actor: { kind: 'person', name: user } as const }
  return (await createToken.run(context, { name: user, scope: 'admin', expiresAt: null })).token
}

/** Matches the forms of a served command that work on this machine. */
const LOCAL_FORMS: readonly RegExp[] = [
  /^dispatch(?!.*--(nudge|dry-run))/,
  /^doctor.*--fix/,
  /^backup create.*(--to|-o)/,
  /^boards create.*--switch/,
]

async function isForServer(argv: readonly string[]): Promise<boolean> {
  const { entry } = findCommand(COMMAND_INDEX, argv)
  if (entry === null || LOCAL_FORMS.some((form) => form.test(`${entry.name} ${argv.join(' ')}`))) return false
  const command = (await entry.load()).command as unknown as CliCommand
  return command.run !== undefined && isServed(command.operation)
}
