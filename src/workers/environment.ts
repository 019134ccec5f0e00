/** What a worker's environment holds: an allow-list. The keys and tokens of whoever started us stay here. */
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
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
])

/** Whether every worker sees it. */
export const isAllowed = (name: string): boolean => ALLOWED.has(name) || name.startsWith('LC_')

/** The allowed part, plus what an agent's file names itself. Nothing of ours passes: each run gets its own. */
export function allowedEnvironment(env: Environment, named: readonly string[] = []): Environment {
  const wanted = new Set(named)
  const passes = (name: string): boolean => !name.startsWith('MUSTER_') && (isAllowed(name) || wanted.has(name))
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== undefined && passes(name)))
}

/** Settings a PostgreSQL client may take from its environment; the supervisor needs them, the agent does not. */
export const storeEnvironment = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^PG[A-Z]+$/.test(name) || name === 'NODE_EXTRA_CA_CERTS'))

export interface Assignment {
  readonly task: TaskId
  readonly run: RunId
  readonly board: string
  readonly workspace: string
  readonly agent: string
  readonly phase: Run['phase']
  readonly turn: number
  readonly tenant: string | null
  /** JSON, short enough for a variable; the whole of it stands in the file. */
  readonly parents: string
  readonly parentsFile: string
}

/** Who the worker is and where. Never where the store is, and no token. */
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
})

/**
 * The way to the supervisor. The nonce stands here only where the process itself is the worker; an agent finds it in
 * its tools, so that an agent which it starts in turn cannot finish the card by accident.
 */
export const channelEnvironment = (
  channel: { readonly path: string; readonly nonce: string } | null,
  { nonceInEnvironment }: { readonly nonceInEnvironment: boolean },
): Environment =>
  channel === null
    ? {}
    : { MUSTER_SOCKET: channel.path, ...(nonceInEnvironment ? { MUSTER_NONCE: channel.nonce } : {}) }

/** As it stands in a process's environment; how a process that left the session is still known to be of a run. */
export const runMark = (run: RunId): string => `MUSTER_RUN=${run}`
