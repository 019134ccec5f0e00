/** An assistant that a person uses: the file with its MCP servers, and the form of an entry. */
import type { Environment } from '../config/environment.ts'
import type { ConfigFormat } from './config-format.ts'

/** How to start our command line. */
export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Variables to pass on from the assistant's environment: their values must not be in a file. */
  readonly forward: readonly string[]
}

export interface Assistant {
  readonly title: string
  readonly program: string
  /** The user's configuration files; the first is the one to create. */
  readonly files: (home: string, env: Environment) => readonly string[]
  readonly format: ConfigFormat
  readonly toEntry: (server: ServerCommand) => object
  /** Null: the entry starts no program. */
  readonly fromEntry: (entry: Readonly<Record<string, unknown>>) => ServerCommand | null
  /** The fields of our own entries; the user added any other. */
  readonly fields: readonly string[]
}

export const envValue = (env: Environment, name: string): string | null => {
  const value = env[name]?.trim() ?? ''
  return value === '' ? null : value
}

/** Reads `{ command, args, env }`, the most common form. */
export function serverIn({ command, args = [], env = {} }: Readonly<Record<string, unknown>>): ServerCommand | null {
  return typeof command === 'string' && isList(args) && isTable(env) ? { command, args, env, forward: [] } : null
}

export const withEnv = (name: string, { env }: ServerCommand): object =>
  Object.keys(env).length === 0 ? {} : { [name]: env }

export const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

export const isTable = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string')
