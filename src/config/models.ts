/** Reads the section `models` of config.yaml: the models that plan work, judge results and describe agents. */
import { parseDuration } from '../core/duration.ts'
import { readConfigFile } from './config-file.ts'
import { inHome } from './home.ts'

export const MODEL_ROLES = ['planner', 'judge', 'describer'] as const
export type ModelRole = (typeof MODEL_ROLES)[number]

/** The agent CLIs that can answer a single question without tools. */
export const MODEL_CLIS = ['claude', 'codex', 'opencode', 'gemini'] as const
export type ModelCli = (typeof MODEL_CLIS)[number]

interface AnyChoice {
  /** The key in config.yaml that sets this model, such as `models.planner`, for messages. */
  readonly section: string
  readonly timeoutMs: number
  /** The environment variable with the key. Null means that the model needs no key. */
  readonly keyEnv: string | null
}

/** An endpoint that is compatible with the API of OpenAI. */
export interface EndpointChoice extends AnyChoice {
  readonly url: string
  readonly model: string
}

export interface CliChoice extends AnyChoice {
  readonly cli: ModelCli
  readonly model: string | null
}

export type ModelChoice = EndpointChoice | CliChoice

/** The models by role, and the faults of the models that cannot be used. */
export interface ModelSettings {
  readonly choices: Readonly<Partial<Record<ModelRole, ModelChoice>>>
  readonly faults: Readonly<Partial<Record<ModelRole, string>>>
}

const DEFAULT_TIMEOUT_MS = 180_000

/** Reads the file at every call, so that a changed model is used without a restart. */
export const readModels = async (home: string): Promise<ModelSettings> =>
  parseModels((await readConfigFile(inHome.config(home), []))['models'])

/**
 * Parses the section. A judge or describer that is not set is replaced by the planner. A faulty judge or describer is
 * not replaced, because the planner may be on another host.
 */
export function parseModels(value: unknown): ModelSettings {
  if (value === undefined || value === null) return { choices: {}, faults: {} }
  if (!isTable(value)) return { choices: {}, faults: { planner: 'models in config.yaml must have the key planner' } }
  const unknown = Object.keys(value).find((key) => !MODEL_ROLES.some((role) => role === key))
  const choices: Partial<Record<ModelRole, ModelChoice>> = {}
  const faults: Partial<Record<ModelRole, string>> = {}
  if (unknown !== undefined) faults.planner = `models.${unknown} in config.yaml: use ${MODEL_ROLES.join(', ')}`
  for (const role of MODEL_ROLES) {
    const given = value[role] ?? null
    const found = given === null ? null : parseChoice(`models.${role}`, given)
    if (typeof found === 'string') faults[role] = found
    else if (found !== null) choices[role] = found
    else if (choices.planner !== undefined) choices[role] = choices.planner
  }
  return { choices, faults }
}

type Table = Readonly<Record<string, unknown>>
const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value)

const KEYS = { endpoint: ['url', 'model', 'keyEnv', 'timeout'], cli: ['cli', 'model', 'keyEnv', 'timeout'] } as const

/** Returns the model, or its fault as a sentence without the full stop. */
function parseChoice(section: string, value: unknown): ModelChoice | string {
  const fault = (text: string): string => `${section} in config.yaml: ${text}`
  if (!isTable(value)) return fault('set url and model, or cli')
  const kind = 'cli' in value ? 'cli' : 'endpoint'
  const unknown = Object.keys(value).find((key) => !KEYS[kind].some((known) => known === key))
  if (unknown !== undefined) return fault(`unknown key ${unknown}; use ${KEYS[kind].join(', ')}`)
  const timeoutMs = timeoutOf(value['timeout'])
  if (timeoutMs === null) return fault('timeout must be a duration such as 90s or 3m')
  const keyEnv = value['keyEnv'] ?? null
  if (keyEnv !== null && !isVariable(keyEnv))
    return fault('keyEnv must be the name of an environment variable, not the key itself')
  const model = value['model'] ?? null
  if (model !== null && !isArgument(model)) return fault('model must be the name of a model')
  const common = { section, timeoutMs, keyEnv }
  if (kind === 'cli') {
    const cli = MODEL_CLIS.find((name) => name === value['cli'])
    return cli === undefined ? fault(`cli must be ${MODEL_CLIS.join(', ')}`) : { ...common, cli, model }
  }
  const url = urlOf(value['url'])
  if (url === null)
    return fault('url must be an http or https address without a user name, as in http://localhost:11434/v1')
  return model === null ? fault('model must be the name of a model') : { ...common, url, model }
}

const isVariable = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z_]\w{0,127}$/.test(value)

/** Whether the value can be an argument of a CLI. It must not look like an option. */
const isArgument = (value: unknown): value is string => typeof value === 'string' && /^[^\s-]\S{0,199}$/.test(value)

function timeoutOf(value: unknown): number | null {
  if (value === undefined || value === null) return DEFAULT_TIMEOUT_MS
  return typeof value === 'string' || typeof value === 'number' ? parseDuration(String(value)) : null
}

/**
 * Returns the base address without a slash at its end. User name and password are refused, because messages show the
 * address.
 */
function urlOf(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null
  const { protocol, username, password, search, hash } = new URL(value)
  const isPlain = username === '' && password === '' && search === '' && hash === ''
  return isPlain && (protocol === 'http:' || protocol === 'https:') ? value.replace(/\/+$/, '') : null
}
