/** The definition of the service, and the paths of its files. */
import os from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../config/environment.ts'
import { defaultHome, inHome } from '../config/home.ts'
import { sha256 } from '../util/sha256.ts'

/** The facts about this machine and its user on which the service depends. */
export interface ServiceHost {
  readonly platform: NodeJS.Platform
  readonly uid: number
  /** The data folder. */
  readonly home: string
  readonly env: Environment
  /** The command that starts the command line of Muster from any folder. */
  readonly commandLine: readonly string[]
}

export interface ServiceDefinition {
  readonly home: string
  /** The whole command of the service. */
  readonly commandLine: readonly string[]
  /** The PATH of the shell that installed the service. The CLIs of agents are found on this PATH. */
  readonly path: string
  /**
   * Variables that may be secret, such as the address of the store. Only the user may read the file with these
   * variables.
   */
  readonly secrets: Readonly<Record<string, string>>
}

/**
 * The suffix of the service's name. The service of the default data folder has no suffix. For any other folder, the
 * suffix is a short hash, so that each folder has its own service.
 */
const suffixOf = (home: string): string => (home === defaultHome() ? '' : sha256(home).slice(0, 8))

export function systemdPlace({ home, env }: ServiceHost): { readonly name: string; readonly file: string } {
  const suffix = suffixOf(home)
  const name = `muster${suffix === '' ? '' : `-${suffix}`}.service`
  const configured = env['XDG_CONFIG_HOME'] ?? ''
  const folder = isAbsolute(configured) ? configured : join(userFolder(env), '.config')
  return { name, file: join(folder, 'systemd', 'user', name) }
}

export function launchdPlace({ home, env }: ServiceHost): { readonly name: string; readonly file: string } {
  const suffix = suffixOf(home)
  const name = `io.github.muster-board.muster${suffix === '' ? '' : `.${suffix}`}`
  return { name, file: join(userFolder(env), 'Library', 'LaunchAgents', `${name}.plist`) }
}

const userFolder = (env: Environment): string => env['HOME'] ?? os.homedir()

/** The file with the secret variables of a systemd service. A launchd service has them in its property list. */
export const secretsFile = (home: string): string => join(home, 'service.env')

/** The file with the output of a launchd service. The output of a systemd service goes to the journal. */
export const logFile = (home: string): string => join(home, 'service.log')

export interface ServiceChoices {
  readonly store: string
  /** The names of the variables that the service gets from this shell. */
  readonly variables: readonly string[]
  /** Whether the machine stays awake while cards run. */
  readonly awake?: boolean
}

/** Defines the service. The service gets the PATH of this shell, the address of the store, and the named variables. */
export function definitionOf(
  { home, env, commandLine }: ServiceHost,
  { store, variables, awake = false }: ServiceChoices,
): ServiceDefinition {
  const named = variables.map((name) => [name, env[name] ?? ''] as const)
  const secrets = store === inHome.database(home) ? named : [['MUSTER_STORE', store] as const, ...named]
  // The service prints no sign-in link, because anyone who reads the log could use it.
  const command = [...commandLine, 'up', '--no-link', ...(awake ? ['--awake'] : [])]
  return { home, commandLine: command, path: env['PATH'] ?? '', secrets: Object.fromEntries(secrets) }
}
