/** An assistant that a person talks to: where it keeps its servers, and how it writes one down. */
import type { Environment } from '../config/environment.ts'
import type { ConfigFormat } from './config-format.ts'

/** What starts our command line. */
export interface Server {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Variables that it needs from the assistant's own environment, since their values are nothing to write down. */
  readonly forward: readonly string[]
}

export interface Assistant {
  /** As people call it. */
  readonly title: string
  readonly program: string
  /** The files it reads for its user, the one to make first. */
  readonly files: (home: string, env: Environment) => readonly string[]
  readonly format: ConfigFormat
  readonly toEntry: (server: Server) => object
  /** Null: no program is started by it. */
  readonly fromEntry: (entry: Readonly<Record<string, unknown>>) => Server | null
  /** Names that an entry of ours has; others were added by somebody. */
  readonly fields: readonly string[]
}

export const given = (env: Environment, name: string): string | null => {
  const value = env[name]?.trim() ?? ''
  return value === '' ? null : value
}

/** `{ command, args, env }`, as most of them have it. */
export function serverIn({ command, args = [], env = {} }: Readonly<Record<string, unknown>>): Server | null {
  return typeof command === 'string' && isList(args) && isTable(env) ? { command, args, env, forward: [] } : null
}

/** An empty table of variables says nothing. */
export const withEnv = (name: string, { env }: Server): object => (Object.keys(env).length === 0 ? {} : { [name]: env })

export const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

export const isTable = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string')
