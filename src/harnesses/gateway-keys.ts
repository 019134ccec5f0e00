/**
 * Withholds keys of a gateway, which must reach only that gateway. Some CLIs use a key but ignore the variable with the
 * gateway's address, so they would send the key to another host. Such a CLI does not get the keys listed here.
 */
import { realpathSync } from 'node:fs'
import type { Environment } from '../config/environment.ts'
import type { CliName } from './detect/clis.ts'
import { harnessOf, isHarnessName } from './index.ts'
import { findProgram } from '../processes/find-program.ts'

type KeysByAddress = Readonly<Record<string, readonly string[]>>

const ANTHROPIC = { ANTHROPIC_BASE_URL: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] }
const OPENAI = { OPENAI_BASE_URL: ['OPENAI_API_KEY'] }
const GEMINI = { GOOGLE_GEMINI_BASE_URL: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'] }

/**
 * The keys that a CLI would send to the wrong host. The real CLIs were tested for this. Claude Code and Gemini CLI use
 * the address variable of their maker, OpenCode uses those of Anthropic and OpenAI. Codex sends `OPENAI_API_KEY` only
 * to a provider whose settings name this key. Hermes is untested.
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

/** Returns the keys to withhold. `words` is the result of `programNames`. */
export function withheldKeys(words: readonly string[], env: Environment): readonly WithheldKey[] {
  const ignored = Object.entries(IGNORED).flatMap(([cli, keys]) => (isNamed(cli, words) ? [keys] : []))
  return Object.entries(Object.assign({}, ...ignored) as KeysByAddress)
    .filter(([address]) => env[address])
    .flatMap(([address, keys]) => keys.filter((key) => env[key]).map((key) => ({ key, address })))
}

/**
 * Whether a command names the CLI. The CLI may also be part of a path, a package name (`npx opencode-ai@1`) or a shell
 * command. A false match does little harm, because the only effect is that a key is withheld.
 */
const isNamed = (cli: string, words: readonly string[]): boolean =>
  words.some((word) => word.split(/[^A-Za-z0-9]+/).some((part) => part.toLowerCase() === cli))

/**
 * The names of the program that an agent starts. If the harness always starts the same program, this is the name of the
 * harness. Otherwise it is the command line in the agent's file and the real path of the program.
 */
export function programNames(harness: string, args: readonly string[], path: string | undefined): readonly string[] {
  const isInArgs = isHarnessName(harness) && harnessOf({ harness }).argsExample !== undefined
  if (!isInArgs) return [harness]
  const program = findProgram(args[0] ?? '', path)
  return program === null ? args : [...args, realPathOf(program)]
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

export function withoutKeys(env: Environment, withheld: readonly WithheldKey[]): Environment {
  const names = new Set(withheld.map(({ key }) => key))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)))
}

export const withheldText = ({ key, address }: WithheldKey, agent: string): string =>
  `${key} is withheld from ${agent}: it belongs to the gateway in ${address}, and this CLI ignores ${address}.`
