/**
 * The environment of a worker, which contains only allowed variables. An agent gets a key or token of the user only if
 * the agent's file names it.
 */
import { delimiter } from 'node:path'
import type { Environment } from '../config/environment.ts'
import type { RunId, TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'

const ALLOWED = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  // Variables for trusted certificates, and for client certificates of a proxy or gateway.
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'CODEX_CA_CERTIFICATE',
  'CLAUDE_CODE_CERT_STORE',
  'CLAUDE_CODE_CLIENT_CERT',
  'CLAUDE_CODE_CLIENT_KEY',
  // Variables with addresses of model APIs. An agent that has the key of a gateway but not its address would send the
  // key to another host.
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_BEDROCK_BASE_URL',
  'ANTHROPIC_FOUNDRY_BASE_URL',
  'ANTHROPIC_VERTEX_BASE_URL',
  'OPENAI_BASE_URL',
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_VERTEX_BASE_URL',
  'CODE_ASSIST_ENDPOINT',
])

/** Programs read these names in upper case or in lower case, so both are allowed. */
const PROXIES = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'])

/**
 * Variables that Node reads when it starts. A certificate file delays the start by 45 to 70 ms. So a supervisor gets
 * these variables under other names and passes them on to its agent.
 */
const FOR_NODE = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'NODE_USE_ENV_PROXY']
const CARRIED = 'MUSTER_CARRIED_'

/** Whether every worker gets this variable. */
export const isAllowed = (name: string): boolean =>
  ALLOWED.has(name) ||
  FOR_NODE.includes(name) ||
  name.startsWith('LC_') ||
  (PROXIES.has(name.toUpperCase()) && (name === name.toUpperCase() || name === name.toLowerCase()))

/**
 * The allowed variables, and the variables that an agent's file names. Variables of Muster are left out, because each
 * run gets its own values for them.
 */
export function allowedEnvironment(env: Environment, named: readonly string[] = []): Environment {
  const wanted = new Set(named.flatMap((name) => [name, ...addressesFor(name)]))
  const passes = (name: string): boolean => !name.startsWith('MUSTER_') && (isAllowed(name) || wanted.has(name))
  const own = Object.entries(env).filter(([name, value]) => value !== undefined && passes(name))
  return { ...carriedIn(env), ...Object.fromEntries(own) }
}

const KEY = /^(.+?)_(?:(?:API|ACCESS|AUTH)_)?(?:KEY|TOKEN)$/
const ADDRESSES = ['BASE_URL', 'API_BASE', 'API_BASE_URL', 'API_HOST', 'API_URL', 'ENDPOINT', 'HOST']

/**
 * The variables with the host for a key. An agent that gets the key also gets these variables, so that it sends the key
 * to the right host.
 */
function addressesFor(key: string): readonly string[] {
  const maker = KEY.exec(key)?.[1]
  return maker === undefined ? [] : ADDRESSES.map((address) => `${maker}_${address}`)
}

const carriedIn = (env: Environment): Environment =>
  Object.fromEntries(FOR_NODE.flatMap((name) => (env[CARRIED + name] ? [[name, env[CARRIED + name]]] : [])))

/**
 * The environment of a supervisor: the variables of its agent. Variables that slow down the start of Node get other
 * names.
 */
export function supervisorEnvironment(env: Environment, named: readonly string[]): Environment {
  const entries = Object.entries(allowedEnvironment(env, named))
  return Object.fromEntries(
    entries.map(([name, value]) => [FOR_NODE.includes(name) ? CARRIED + name : name, value] as const),
  )
}

/** Settings of the PostgreSQL client. Only the supervisor needs them. */
export const storeEnvironment = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^PG[A-Z]+$/.test(name) || CERTIFICATES.includes(name)))

/** The keys of models (config/models.ts). The supervisor needs the keys for the judge. The agent does not get them. */
export const modelEnvironment = (env: Environment, names: readonly string[]): Environment =>
  Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

/** Variables that Node reads to verify the certificate of the PostgreSQL server. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA']

export interface Assignment {
  readonly task: TaskId
  readonly run: RunId
  readonly board: string
  readonly workspace: string
  readonly agent: string
  readonly phase: Run['phase']
  readonly turn: number
  readonly tenant: string | null
  /**
   * The results of the parents as JSON, shortened to fit into a variable. The file `MUSTER_PARENTS_FILE` has the full
   * text.
   */
  readonly parents: string
  readonly parentsFile: string
  /** The folders of the parents. If the list does not fit into a variable, its last folders are left out. */
  readonly parentFolders: readonly string[]
}

/**
 * The variables that describe the worker's card, run and workspace. They contain neither the location of the store nor
 * the token.
 */
export const assignmentEnvironment = (assignment: Assignment): Environment => ({
  MUSTER_TASK: assignment.task,
  MUSTER_RUN: assignment.run,
  MUSTER_BOARD: assignment.board,
  MUSTER_WORKSPACE: assignment.workspace,
  MUSTER_AGENT: assignment.agent,
  MUSTER_PHASE: assignment.phase,
  MUSTER_TURN: String(assignment.turn),
  ...(assignment.tenant === null ? {} : { MUSTER_TENANT: assignment.tenant }),
  MUSTER_PARENTS: assignment.parents,
  MUSTER_PARENTS_FILE: assignment.parentsFile,
  ...parentFolderVariables(assignment.parentFolders),
})

/** The folders of the parents for scripts, which cannot read JSON easily. The list has the format of PATH. */
const parentFolderVariables = (folders: readonly string[]): Environment =>
  folders[0] === undefined ? {} : { MUSTER_PARENT_WORKSPACE: folders[0], MUSTER_PARENT_DIRS: folders.join(delimiter) }

/**
 * The variables that describe how the worker reaches the supervisor. Only shell cards get the nonce in a variable.
 * Other agents get the nonce through their tools, so that a second agent that they start cannot finish the card by
 * accident.
 */
export const socketEnvironment = (
  socket: { readonly path: string; readonly nonce: string; readonly lateFolder: string } | null,
  { nonceInEnvironment }: { readonly nonceInEnvironment: boolean },
): Environment =>
  socket === null
    ? {}
    : {
        MUSTER_SOCKET: socket.path,
        MUSTER_LATE_FOLDER: socket.lateFolder,
        ...(nonceInEnvironment ? { MUSTER_NONCE: socket.nonce } : {}),
      }

/** The variable that marks the processes of a run, even a process that has left the session of the run. */
export const runMark = (run: RunId): string => `MUSTER_RUN=${run}`
