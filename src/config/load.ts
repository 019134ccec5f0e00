/** Flags, environment, files → Options: the only thing the rest of the code sees. */
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { BoardError } from '../core/errors.ts'
import { isSlug } from '../core/ids.ts'
import type { Environment } from './environment.ts'
import { homeOf, inHome } from './home.ts'
import { OPTION_NAMES, resolveSettings, variableOf } from './options.ts'
import type { Settings } from './options.ts'

export const DEFAULT_BOARD = 'default'

export interface Options extends Settings {
  readonly home: string
  /** Where the store is, as `parseLocation` reads it. */
  readonly store: string
  readonly board: string
  /** The person at the keyboard. */
  readonly user: string
  /** Set inside a run: such a process never opens the store. */
  readonly insideRun: string | null
  readonly warnings: readonly string[]
}

export interface Flags {
  readonly board?: string | undefined
}

export async function loadOptions(env: Environment, flags: Flags = {}): Promise<Options> {
  const home = homeOf(env)
  const warnings: string[] = []
  const file = await readConfig(inHome.config(home), warnings)
  const { settings, warnings: bad } = resolveSettings([
    { from: variableOf, values: Object.fromEntries(OPTION_NAMES.map((name) => [name, env[variableOf(name)]])) },
    { from: (name) => `${name} in config.yaml`, values: file },
  ])
  return {
    ...settings,
    home,
    store: given(env['MUSTER_STORE']) ?? inHome.database(home),
    board: await chooseBoard(env, flags, { home, warnings }),
    user: given(env['MUSTER_USER']) ?? systemUser(),
    insideRun: given(env['MUSTER_RUN']),
    warnings: [...warnings, ...bad],
  }
}

const given = (value: string | undefined): string | null =>
  value === undefined || value.trim() === '' ? null : value.trim()

/** The nearest word counts. A typed name must be a name; a damaged pointer file only loses its say. */
async function chooseBoard(
  env: Environment,
  flags: Flags,
  { home, warnings }: { home: string; warnings: string[] },
): Promise<string> {
  const typed = flags.board?.trim() ?? given(env['MUSTER_BOARD'])
  if (typed !== null) {
    if (isSlug(typed)) return typed
    const source = flags.board === undefined ? 'MUSTER_BOARD' : '--board'
    throw new BoardError('invalid_input', `${source} ${typed} is not a board name: use a-z, 0-9, _ and -.`)
  }
  const current = (await readIfThere(inHome.current(home)))?.trim() ?? ''
  if (current === '' || isSlug(current)) return current === '' ? DEFAULT_BOARD : current
  warnings.push(`${inHome.current(home)} names no board; using ${DEFAULT_BOARD}.`)
  return DEFAULT_BOARD
}

/** The YAML reader is loaded only for homes that have the file. */
async function readConfig(path: string, warnings: string[]): Promise<Readonly<Record<string, unknown>>> {
  const text = await readIfThere(path)
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

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new BoardError('store_io', `${path} cannot be read (${code ?? String(error)}).`, {
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
