/** The definition of the service, and the paths of its files. */
import os from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../config/environment.ts'
import { defaultHome, inHome } from '../config/home.ts'
import { sha256 } from '../util/sha256.ts'

/** Everything about this machine and its user that the service depends on. */
export interface ServiceHost {
  readonly platform: NodeJS.Platform
  readonly uid: number
  /** The data folder. */
  readonly home: string
  readonly env: Environment
  /** The program and first arguments that start the command line from any folder. */
  readonly commandLine: readonly string[]
}

export interface ServiceDefinition {
  readonly home: string
  /** The whole command. */
  readonly commandLine: readonly string[]
  /** The PATH of the shell that installed the service: agents' CLIs are found there. */
  readonly path: string
  /** Variables that may be secret, such as the address of the store. Only the user may read their file. */
  readonly secrets: Readonly<Record<string, string>>
}

/**
 * The service of the default data folder has a plain name. Any other folder adds a short hash, so that each has its own
 * service.
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

/** The file with the output of a launchd service. A systemd service writes to the journal. */
export const logFile = (home: string): string => join(home, 'service.log')

export interface ServiceChoices {
  readonly store: string
  /** The variables of this shell that the service gets, by name. */
  readonly variables: readonly string[]
  /** Whether the machine stays awake while cards run. */
  readonly awake?: boolean
}

/** The service gets the PATH of this shell, the store, and the named variables. */
export function definitionOf(
  { home, env, commandLine }: ServiceHost,
  { store, variables, awake = false }: ServiceChoices,
): ServiceDefinition {
  const named = variables.map((name) => [name, env[name] ?? ''] as const)
  const secrets = store === inHome.database(home) ? named : [['MUSTER_STORE', store] as const, ...named]
  const command = [...commandLine, 'up', ...(awake ? ['--awake'] : [])]
  return { home, commandLine: command, path: env['PATH'] ?? '', secrets: Object.fromEntries(secrets) }
}
