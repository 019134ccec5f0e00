/** Whether a CLI seems logged in. Reads no secret and calls no server. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { CLIS } from './clis.ts'
import type { CliName } from './clis.ts'

export interface LogIn {
  /** The file with the login, which may have expired; null: there is none. */
  readonly file: string | null
  /** The variables that are set. */
  readonly variables: readonly string[]
}

export function seeLogIn(name: CliName, env: Environment): LogIn {
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
