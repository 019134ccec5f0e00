/**
 * The key of a gateway must reach only that gateway. Some CLIs use a key but ignore the variable with the gateway's
 * address, so they would send the key to their default host. They do not get the keys listed here.
 */
import { basename } from 'node:path'
import type { Environment } from '../config/environment.ts'
import type { CliName } from './clis.ts'

type KeysByAddress = Readonly<Record<string, readonly string[]>>

const ANTHROPIC = { ANTHROPIC_BASE_URL: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] }
const OPENAI = { OPENAI_BASE_URL: ['OPENAI_API_KEY'] }
const GEMINI = { GOOGLE_GEMINI_BASE_URL: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'] }

/**
 * Tested with the real CLIs: Claude Code and Gemini CLI use the addresses of their makers, OpenCode those of Anthropic and
 * OpenAI. Codex sends `OPENAI_API_KEY` only to a provider whose settings name this key. Hermes is untested.
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
  `${key} is withheld from ${agent}: it belongs to the gateway in ${address}, and this CLI ignores ${address}.`
