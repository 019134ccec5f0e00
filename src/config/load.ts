/**
 * Converts flags, environment variables and files into `Options`. Other code reads the configuration only in this form.
 */
import os from 'node:os'
import { BoardError } from '../core/errors.ts'
import { DEFAULT_BOARD, isSlug } from '../core/ids.ts'
import { readConfigFile, readHomeFile } from './config-file.ts'
import type { ConfigValues } from './config-file.ts'
import type { Environment } from './environment.ts'
import { homeOf, inHome } from './home.ts'
import { parseModels } from './models.ts'
import type { ModelSettings } from './models.ts'
import { OPTION_NAMES, resolveSettings, variableOf } from './options.ts'
import type { OptionValues } from './options.ts'

export { DEFAULT_BOARD }

/** The details with which a process inside a run connects to its supervisor. */
export interface InsideRun {
  readonly run: string
  readonly socket: string | null
  /**
   * The secret that proves that the process belongs to the run. A process that only inherited the id of the run does
   * not have this secret.
   */
  readonly nonce: string | null
  readonly task: string | null
  /** The folder for changes after the supervisor has exited (runs/files/late-writes.ts). */
  readonly lateFolder: string | null
}

/** A server whose board the commands use, instead of a store of this machine. */
export interface ServerChoice {
  readonly url: string
  /** The flag or variable that gave the URL, `--url` or `MUSTER_URL`, for messages. */
  readonly from: string
  readonly token: string | null
  /** The board that the user named. Null means the current board of the server. */
  readonly board: string | null
}

export interface Options extends OptionValues {
  readonly home: string
  /** The location of the store, in the form that `parseLocation` reads. */
  readonly store: string
  readonly board: string
  /** The board for commands without a --board flag. */
  readonly currentBoard: string
  /** The name of the user. Inside a run, the name of the agent. */
  readonly user: string
  /**
   * The run to which this process belongs. This is null outside a run. A process inside a run never opens the store.
   */
  readonly insideRun: InsideRun | null
  /** The server, if a URL was given. Null inside a run, because a run uses its own board. */
  readonly server: ServerChoice | null
  /** The variables with the keys of models. A supervisor gets these keys for the judge; its agent does not get them. */
  readonly modelKeys: readonly string[]
  readonly warnings: readonly string[]
}

export interface ConfigFlags {
  readonly url?: string | undefined
  readonly board?: string | undefined
}

export async function loadOptions(env: Environment, flags: ConfigFlags = {}): Promise<Options> {
  const home = homeOf(env)
  const warnings: string[] = []
  const insideRun = runOf(env)
  // The supervisor chooses the board of a run. So no flag and no file in the data folder may change the board.
  const file = insideRun === null ? await readSettings(inHome.config(home), warnings) : {}
  const models = parseModels(file['models'])
  const { settings, warnings: bad } = resolveSettings([
    { from: variableOf, values: Object.fromEntries(OPTION_NAMES.map((name) => [name, env[variableOf(name)]])) },
    { from: (name) => `${name} in config.yaml`, values: file },
  ])
  const boards = chooseBoard(env, insideRun === null ? flags : {}, { home, warnings })
  return {
    ...settings,
    home,
    store: given(env['MUSTER_STORE']) ?? inHome.database(home),
    ...boards,
    server: insideRun === null ? serverOf(env, flags, boards) : null,
    user: given(env[insideRun === null ? 'MUSTER_USER' : 'MUSTER_AGENT']) ?? systemUser(),
    insideRun,
    modelKeys: modelKeysIn(models),
    warnings: [...warnings, ...bad, ...Object.values(models.faults).map((fault) => `${fault}.`)],
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

function serverOf(env: Environment, flags: ConfigFlags, { board }: Boards): ServerChoice | null {
  const url = flags.url ?? given(env['MUSTER_URL'])
  if (url === null) return null
  const isNamed = flags.board !== undefined || given(env['MUSTER_BOARD']) !== null
  return {
    url,
    from: flags.url === undefined ? 'MUSTER_URL' : '--url',
    token: given(env['MUSTER_API_TOKEN']),
    board: isNamed ? board : null,
  }
}

type Boards = Pick<Options, 'board' | 'currentBoard'>

/**
 * Chooses the board from --board, MUSTER_BOARD or the file `current`, in this order. An invalid name from the user is
 * an error; an invalid name in the file is a warning.
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

/** Reads the settings, and warns about keys that no part of Muster reads, and about models that cannot be used. */
async function readSettings(path: string, warnings: string[]): Promise<ConfigValues> {
  const file = await readConfigFile(path, warnings)
  const known = new Set<string>([...OPTION_NAMES, 'models'])
  const unknown = Object.keys(file).filter((key) => !known.has(key))
  if (unknown.length > 0) warnings.push(`${path}: unknown ${unknown.join(', ')}.`)
  return file
}

const modelKeysIn = ({ choices }: ModelSettings): readonly string[] => [
  ...new Set(Object.values(choices).flatMap(({ keyEnv }) => (keyEnv === null ? [] : [keyEnv]))),
]

function systemUser(): string {
  try {
    return os.userInfo().username
  } catch {
    return 'user' // In a container, the user id may have no user name.
  }
}
