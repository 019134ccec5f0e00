/**
 * A key that belongs to a gateway must reach that gateway alone. Each list names keys that a CLI logs in with although it
 * ignores the variable with the gateway's address: it would send them to its default host, so it does not get them.
 */
import { basename } from 'node:path'
import type { Environment } from '../config/environment.ts'
import type { CliName } from './clis.ts'

type KeysByAddress = Readonly<Record<string, readonly string[]>>

const ANTHROPIC = { ANTHROPIC_BASE_URL: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] }
const OPENAI = { OPENAI_BASE_URL: ['OPENAI_API_KEY'] }
const GEMINI = { GOOGLE_GEMINI_BASE_URL: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'] }

/**
 * Seen with the programs: Claude Code and Gemini CLI use the addresses of their makers, OpenCode those of Anthropic and
 * OpenAI. Codex sends `OPENAI_API_KEY` only to a provider of its settings that names this key. Hermes was never tried.
 */
const IGNORED: Readonly<Partial<Record<CliName, KeysByAddress>>> = {
  opencode: GEMINI,
  hermes: { ...ANTHROPIC, ...OPENAI, ...GEMINI },
}

export interface WithheldKey {
  readonly key: string
  /** The variable with the address of the gateway. */
  readonly address: string
}

/** `program`: the harness, or the program that an ACP agent starts. */
export function withheldKeys(program: string, env: Environment): readonly WithheldKey[] {
  const name = basename(program)
  const ignored = Object.entries(IGNORED).find(([cli]) => cli === name)?.[1] ?? {}
  return Object.entries(ignored)
    .filter(([address]) => env[address])
    .flatMap(([address, keys]) => keys.filter((key) => env[key]).map((key) => ({ key, address })))
}

export function withoutKeys(env: Environment, withheld: readonly WithheldKey[]): Environment {
  const names = new Set(withheld.map(({ key }) => key))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)))
}

export const withheldText = ({ key, address }: WithheldKey, agent: string): string =>
  `${key} is kept from ${agent}: it belongs to the gateway in ${address}, which its program does not use.`
