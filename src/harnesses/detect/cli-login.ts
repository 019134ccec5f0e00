/** Finds out whether a CLI seems to be logged in, without reading a secret or calling a server. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { CLIS } from './clis.ts'
import type { CliName } from './clis.ts'

export interface Login {
  /** The file with the login. The login may have expired. Null means that the file does not exist. */
  readonly file: string | null
  /** The environment variables with a login, among those that are set. */
  readonly variables: readonly string[]
}

export function findLogin(name: CliName, env: Environment): Login {
  const file = CLIS[name].credentials.map((one) => join(folderOf(name, env), one)).find((one) => existsSync(one))
  return { file: file === undefined ? null : withTilde(file, env), variables: keysIn(name, env) }
}

export const keysIn = (name: CliName, env: Environment): readonly string[] => CLIS[name].keys.filter((key) => env[key])

function folderOf(name: CliName, env: Environment): string {
  const { variable, within, otherwise } = CLIS[name].folder
  const named = env[variable]
  return named ? join(named, within) : join(env['HOME'] ?? '/', otherwise)
}

function withTilde(file: string, { HOME }: Environment): string {
  return HOME && file.startsWith(`${HOME}/`) ? `~${file.slice(HOME.length)}` : file
}
