/** Turns flags, environment variables and files into Options, the only form of configuration that other code reads. */
import os from 'node:os'
import { readFileSync } from '../util/guarded-files.ts'
import { BoardError } from '../core/errors.ts'
import { DEFAULT_BOARD, isSlug } from '../core/ids.ts'
import type { Environment } from './environment.ts'
import { homeOf, inHome } from './home.ts'
import { OPTION_NAMES, resolveSettings, variableOf } from './options.ts'
import type { OptionValues } from './options.ts'
import { systemReason } from '../util/system-errors.ts'

export { DEFAULT_BOARD }

/** The details with which a process inside a run connects to its supervisor. */
export interface InsideRun {
  readonly run: string
  readonly socket: string | null
  /**
   * A secret which proves that the process belongs to the run. A process that only inherited the run's id does not have
   * it.
   */
  readonly nonce: string | null
  readonly task: string | null
  /** The folder for writes that happen after the supervisor has exited (runs/files/late-writes.ts). */
  readonly lateFolder: string | null
}

export interface Options extends OptionValues {
  readonly home: string
  /** The location of the store, in the form that `parseLocation` reads. */
  readonly store: string
  readonly board: string
  /** The board for commands without a --board flag. */
  readonly currentBoard: string
  /** The user name; inside a run, the name of its agent. */
  readonly user: string
  /** Set inside a run. Such a process never opens the store. */
  readonly insideRun: InsideRun | null
  readonly warnings: readonly string[]
}

export interface ConfigFlags {
  readonly board?: string | undefined
}

export async function loadOptions(env: Environment, flags: ConfigFlags = {}): Promise<Options> {
  const home = homeOf(env)
  const warnings: string[] = []
  const insideRun = runOf(env)
  // The supervisor gives a run its board, so no flag and no file in the data folder may change it.
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

/**
 * Precedence: --board, MUSTER_BOARD, the `current` file. If the user typed a name that is not valid, that is an error.
 * If the file has one, that is only a warning.
 */
function chooseBoard(
  env: Environment,
  flags: ConfigFlags,
  { home, warnings }: { home: string; warnings: string[] },
): Boards {
  const typed = flags.board === undefined ? null : slugOf(flags.board, '--board')
  const named = given(env['MUSTER_BOARD'])
  if (named !== null && (typed === null || isSlug(named))) {
    const currentBoard = slugOf(named, 'MUSTER_BOARD')
    return { board: typed ?? currentBoard, currentBoard }
  }
  const pointed = readHomeFile(inHome.current(home))?.trim() ?? ''
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

/** Loads the YAML parser only if the file exists. */
async function readConfig(path: string, warnings: string[]): Promise<Readonly<Record<string, unknown>>> {
  const text = readHomeFile(path)
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

/** Reads synchronously. Every command reads two small files at its start, and asynchronous reads would take longer. */
function readHomeFile(path: string): string | null {
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
    return 'user' // A container may run under a uid without a name.
  }
}
