/** Whether a CLI is logged in, as far as that shows without asking its maker: nothing is spent, and no secret is read. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { CLIS } from './clis.ts'
import type { CliName } from './clis.ts'

export interface LogIn {
  /** The file that holds one, as people write it; null: there is none. It may have expired. */
  readonly file: string | null
  /** Names of the variables that are set. */
  readonly variables: readonly string[]
}

export function seeLogIn(name: CliName, env: Environment): LogIn {
  const file = CLIS[name].credentials.map((one) => join(folderOf(name, env), one)).find((one) => existsSync(one))
  return { file: file === undefined ? null : withTilde(file, env), variables: keysIn(name, env) }
}

/** Set to nothing is not set. */
export const keysIn = (name: CliName, env: Environment): readonly string[] => CLIS[name].keys.filter((key) => env[key])

function folderOf(name: CliName, env: Environment): string {
  const { variable, within, otherwise } = CLIS[name].folder
  const named = env[variable]
  return named ? join(named, within) : join(env['HOME'] ?? '/', otherwise)
}

function withTilde(file: string, { HOME }: Environment): string {
  return HOME && file.startsWith(`${HOME}/`) ? `~${file.slice(HOME.length)}` : file
}
