/** Flags, environment, files → Options: the only thing the rest of the code sees. */
import os from 'node:os'
import { readFileSync } from '../util/guarded-files.ts'
import { BoardError } from '../core/errors.ts'
import { DEFAULT_BOARD, isSlug } from '../core/ids.ts'
import type { Environment } from './environment.ts'
import { homeOf, inHome } from './home.ts'
import { OPTION_NAMES, resolveSettings, variableOf } from './options.ts'
import type { Settings } from './options.ts'
import { systemReason } from '../util/system-errors.ts'

export { DEFAULT_BOARD }

/** What a process of a run was given to speak to its supervisor. */
export interface InsideRun {
  readonly run: string
  readonly socket: string | null
  /** Proves that it speaks for the run; a process that only inherited the run's name has none. */
  readonly nonce: string | null
  readonly task: string | null
  /** The folder for writes that the supervisor can no longer take (runs/files/late-writes.ts). */
  readonly lateFolder: string | null
}

export interface Options extends Settings {
  readonly home: string
  /** Where the store is, as `parseLocation` reads it. */
  readonly store: string
  readonly board: string
  /** The board that is meant when no flag names one. */
  readonly currentBoard: string
  /** The person at the keyboard; inside a run its agent. */
  readonly user: string
  /** Set inside a run: such a process never opens the store. */
  readonly insideRun: InsideRun | null
  readonly warnings: readonly string[]
}

export interface Flags {
  readonly board?: string | undefined
}

export async function loadOptions(env: Environment, flags: Flags = {}): Promise<Options> {
  const home = homeOf(env)
  const warnings: string[] = []
  const insideRun = runOf(env)
  // A run has its board from its supervisor: neither a flag nor the files of whatever home is near change it.
  const file = insideRun === null ? await readConfig(inHome.config(home), warnings) : {}
  const { settings, warnings: bad } = resolveSettings([
    { from: variableOf, values: Object.fromEntries(OPTION_NAMES.map((name) => [name, env[variableOf(name)]])) },
    { from: (name) => `${name} in config.yaml`, values: file },
  ])
  return {
    ...settings,
    home,
    store: given(env['MUSTER_STORE']) ?? inHome.database(home),
    ...chooseBoard(env, insideRun === null ? flags : {}, { home, warnings }),
    user: given(env[insideRun === null ? 'MUSTER_USER' : 'MUSTER_AGENT']) ?? systemUser(),
    insideRun,
    warnings: [...warnings, ...bad],
  }
}

function runOf(env: Environment): InsideRun | null {
  const run = given(env['MUSTER_RUN'])
  if (run === null) return null
  return {
    run,
    socket: given(env['MUSTER_SOCKET']),
    nonce: given(env['MUSTER_NONCE']),
    task: given(env['MUSTER_TASK']),
    lateFolder: given(env['MUSTER_LATE_FOLDER']),
  }
}

const given = (value: string | undefined): string | null =>
  value === undefined || value.trim() === '' ? null : value.trim()

type Boards = Pick<Options, 'board' | 'currentBoard'>

/** The nearest word counts. A typed name must be a name; a damaged pointer file only loses its say. */
function chooseBoard(env: Environment, flags: Flags, { home, warnings }: { home: string; warnings: string[] }): Boards {
  const typed = flags.board === undefined ? null : slugOf(flags.board, '--board')
  const named = given(env['MUSTER_BOARD'])
  if (named !== null && (typed === null || isSlug(named))) {
    const currentBoard = slugOf(named, 'MUSTER_BOARD')
    return { board: typed ?? currentBoard, currentBoard }
  }
  const pointed = readIfExists(inHome.current(home))?.trim() ?? ''
  const isName = pointed === '' || isSlug(pointed)
  if (!isName) warnings.push(`${inHome.current(home)} names no board; using ${DEFAULT_BOARD}.`)
  const currentBoard = pointed === '' || !isName ? DEFAULT_BOARD : pointed
  return { board: typed ?? currentBoard, currentBoard }
}

function slugOf(typed: string, source: string): string {
  const slug = typed.trim().toLowerCase()
  if (isSlug(slug)) return slug
  throw new BoardError('invalid_input', `${source} ${typed} is not a board name: use a-z, 0-9, _ and -.`)
}

/** The YAML reader is loaded only for homes that have the file. */
async function readConfig(path: string, warnings: string[]): Promise<Readonly<Record<string, unknown>>> {
  const text = readIfExists(path)
  if (text === null) return {}
  const { parse } = await import('yaml')
  try {
    const value: unknown = parse(text) ?? {}
    if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('it must hold `key: value` lines')
    const known = new Set<string>(OPTION_NAMES)
    const unknown = Object.keys(value as object).filter((key) => !known.has(key))
    if (unknown.length > 0) warnings.push(`${path}: unknown ${unknown.join(', ')}.`)
    return value as Record<string, unknown>
  } catch (error) {
    warnings.push(`${path} is not used: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    return {}
  }
}

/** Two small files at the start of every command: the detour over other threads would take longer than the reading. */
function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new BoardError('store_io', `${path} cannot be read (${systemReason(error)}).`, {
      details: { path },
      cause: error,
    })
  }
}

function systemUser(): string {
  try {
    return os.userInfo().username
  } catch {
    return 'user' // A container may run as a uid without a name.
  }
}
