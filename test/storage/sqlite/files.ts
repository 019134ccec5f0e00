/** Helpers for the bytes of a database file. Call them only while this process has no connection to it. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { BoardError } from '../../../src/core/errors.ts'
import { openStore } from '../../../src/storage/open.ts'
import type { OpenOptions } from '../../../src/storage/open.ts'
import { bellOf, createBell } from '../../../src/storage/sqlite/bell.ts'
import type { Store } from '../../../src/storage/store.ts'
import type { ScriptAnswer, ScriptStep } from '../../fixtures/store-script.ts'
import { bundleProgram } from '../../helpers/processes.ts'
import { card, person } from '../../helpers/sample.ts'
import { testFolder } from '../../helpers/stores.ts'

export const PAGE = 4096

export const sha256 = (path: string): string | null =>
  existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null

/** Overwrites some bytes of a file. */
export function poke(path: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

export const openFile = (path: string, mode: OpenOptions['mode']): Promise<Store> =>
  openStore({ engine: 'sqlite', path }, { mode })

/** Returns the error of opening a store. Throws an error if the store can be opened. */
export async function fault(path: string, mode: OpenOptions['mode']): Promise<BoardError> {
  let store: Store
  try {
    store = await openFile(path, mode)
  } catch (error) {
    return error as BoardError
  }
  await store.close()
  throw new Error(`${path} was opened`)
}

const about = { board: 'main', actor: person } as const

export async function addCard(store: Store, name: string | number, body = ''): Promise<void> {
  const cards = [{ id: card(name), title: `Card ${name}`, body }]
  const outcome = await store.decide({ ...about, verb: 'create', input: { cards } })
  if (!outcome.ok) throw outcome.error
}

/** The bytes of made stores, by the number of their cards. A copy takes a tenth of the time of making a store. */
const made = new Map<number, Buffer>()

/** Makes a closed store with a board and some cards, enough for many pages. */
export async function madeStore({ name = 'muster.db', cards = 40, folder = testFolder() } = {}): Promise<string> {
  const path = join(folder, name)
  const bytes = made.get(cards) ?? (await makeBytes(cards))
  made.set(cards, bytes)
  writeFileSync(path, bytes, { mode: 0o600 })
  createBell(bellOf(path))
  return path
}

async function makeBytes(cards: number): Promise<Buffer> {
  const path = join(testFolder(), 'muster.db')
  const store = await openFile(path, 'create')
  await store.decide({ ...about, verb: 'create_board', input: { slug: 'main' } })
  const body = 'x'.repeat(400)
  const rows = Array.from({ length: cards }, (_, at) => ({ id: card(at), title: `Card ${at}`, body }))
  if (cards > 0) await store.decide({ ...about, verb: 'create', input: { cards: rows } })
  await store.close()
  return readFileSync(path)
}

/**
 * Makes a store with cards as a killed process leaves it: the last commit is only in the WAL, and does not change page
 * 1.
 */
export async function abandonedStore(): Promise<string> {
  const path = await madeStore()
  const store = await openFile(path, 'write')
  await store.decide({ ...about, verb: 'hold', input: { task: card(1) } })
  const folder = testFolder()
  execFileSync('cp', [path, `${path}-wal`, `${path}-shm`, folder])
  await store.close()
  return join(folder, 'muster.db')
}

/** Returns the names of the files in a folder, except the file `bell`. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name !== 'bell')
    .sort()

/** Leaves out the names of the -wal and -shm files, which SQLite creates for readers and which stay. */
export const withoutSidecars = (names: readonly string[]): string[] => names.filter((name) => !/-(wal|shm)$/.test(name))

/** Returns the open descriptors of this process for files below a folder. */
export const descriptorsInto = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`)
      return target.startsWith(folder) ? [target] : []
    } catch {
      return []
    }
  })

let program: Promise<string> | null = null

/** Runs steps in a child process. `fileBlocks` limits the size of its files, in blocks of 512 bytes. */
export async function inChild(
  steps: readonly ScriptStep[],
  { fileBlocks = null }: { fileBlocks?: number | null } = {},
): Promise<readonly ScriptAnswer[]> {
  program ??= bundleProgram('test/fixtures/store-script.ts')
  const limit = fileBlocks === null ? '' : `ulimit -f ${fileBlocks}; `
  const command = ['-c', `${limit}exec "$@"`, 'sh', process.execPath, await program, JSON.stringify(steps)]
  const child = spawn('sh', command, { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the child ended with ${code}: ${err}`)
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ScriptAnswer)
}
