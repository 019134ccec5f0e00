/** The type of an assistant: the file that lists its MCP servers, and the form of an entry in this file. */
import type { Environment } from '../config/environment.ts'
import type { ConfigFormat } from './config-format.ts'

/** The command that starts Muster. */
export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The variables that the assistant must pass on from its own environment. Their values must not be in a file. */
  readonly forward: readonly string[]
}

export interface Assistant {
  readonly title: string
  readonly program: string
  /** The user's configuration files. If no file exists, the first one is created. */
  readonly files: (home: string, env: Environment) => readonly string[]
  readonly format: ConfigFormat
  readonly toEntry: (server: ServerCommand) => object
  /** The command of an entry. Returns null if the entry starts no program. */
  readonly fromEntry: (entry: Readonly<Record<string, unknown>>) => ServerCommand | null
  /** The fields of an entry that Muster writes. Any other field comes from the user. */
  readonly fields: readonly string[]
}

export const envValue = (env: Environment, name: string): string | null => {
  const value = env[name]?.trim() ?? ''
  return value === '' ? null : value
}

/** Reads an entry in the form `{ command, args, env }`, which most assistants use. */
export function serverIn({ command, args = [], env = {} }: Readonly<Record<string, unknown>>): ServerCommand | null {
  return typeof command === 'string' && isList(args) && isTable(env) ? { command, args, env, forward: [] } : null
}

export const withEnv = (name: string, { env }: ServerCommand): object =>
  Object.keys(env).length === 0 ? {} : { [name]: env }

export const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

export const isTable = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string')
