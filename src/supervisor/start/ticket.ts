/**
 * The ticket is the file from which a supervisor starts. It contains the claim's token, so only the user may read it.
 */
import { readFileSync } from '../../util/guarded-files.ts'
import { isRunId, isSlug, isTaskId } from '../../core/ids.ts'
import type { RunId, TaskId } from '../../core/ids.ts'
import type { Agent } from '../../agents/agent.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { writeWhole } from '../../runs/files/run-directory.ts'

export interface Ticket {
  readonly version: 1
  readonly home: string
  /** The machine id that the dispatcher uses. If this is null, the supervisor uses the id of the system. */
  readonly machine: string | null
  /** The location of the store, in the form that `parseLocation` reads. */
  readonly store: string
  readonly board: string
  readonly task: TaskId
  readonly run: RunId
  readonly token: string
  readonly agent: string
  readonly harness: string
  /** The arguments from the agent's file, with placeholders. For a `command` agent, the program comes first. */
  readonly args: readonly string[]
  readonly instruction: string
  /** The tools that the agent's file names. */
  readonly tools: readonly string[]
  readonly permissions: Agent['permissions']
  readonly model: string | null
  readonly provider: string | null
  readonly effort: string | null
  /** The setup commands for a new workspace. */
  readonly setup: readonly string[]
  readonly skills: readonly string[]
  /** Whether exit code 0 without a verdict counts as complete. */
  readonly completesOnExit: boolean
  /** The variables that the agent's file names. The supervisor passes these variables on to the agent. */
  readonly passEnvironment: readonly string[]
  /** How long the agent may run after its verdict. */
  readonly turnEndMs: number
  readonly terminateGraceMs: number
  readonly killWaitMs: number
  readonly logMaxBytes: number
  /** How long the agent may wait until a rate limit of its account resets. */
  readonly quotaWaitMs: number
  /** How long an ACP agent may take to open its session. */
  readonly sessionWaitMs: number
  /** How long the supervisor waits before it asks the judge of a goal again. */
  readonly judgeRetryMs: number
}

/** The fields that tickets of older builds do not have, with their values for such tickets. */
const NEWER_FIELDS = {
  machine: null,
  args: [],
  instruction: '',
  tools: [],
  permissions: 'edit',
  model: null,
  provider: null,
  effort: null,
  setup: [],
  skills: [],
  turnEndMs: 30_000,
  logMaxBytes: 64 * 1024 ** 2,
  quotaWaitMs: 120_000,
  sessionWaitMs: 120_000,
  judgeRetryMs: 5_000,
} satisfies Partial<Ticket>

const isString = (value: unknown): boolean => typeof value === 'string'
const isStringOrNull = (value: unknown): boolean => value === null || isString(value)
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every(isString)
const isPositive = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1
const is = (test: (text: string) => boolean) => (value: unknown) => typeof value === 'string' && test(value)

/**
 * Checks the fields of a ticket. The checks are hand-written, because building a schema takes longer than the rest of
 * the guard, and the next card waits for the guard.
 */
const IS_VALID: Readonly<Record<keyof Ticket, (value: unknown) => boolean>> = {
  version: (value) => value === 1,
  home: isString,
  machine: isStringOrNull,
  store: isString,
  board: is(isSlug),
  task: is(isTaskId),
  run: is(isRunId),
  token: isString,
  agent: is((text) => text.trim() !== ''),
  harness: isString,
  args: isStrings,
  instruction: isString,
  tools: isStrings,
  permissions: isString,
  model: isStringOrNull,
  provider: isStringOrNull,
  effort: isStringOrNull,
  setup: isStrings,
  skills: isStrings,
  completesOnExit: (value) => typeof value === 'boolean',
  passEnvironment: isStrings,
  turnEndMs: isPositive,
  terminateGraceMs: isPositive,
  killWaitMs: isPositive,
  logMaxBytes: isPositive,
  quotaWaitMs: isPositive,
  sessionWaitMs: isPositive,
  judgeRetryMs: isPositive,
}

/**
 * The part of the ticket with the agent's settings. The settings are copied, because the agent's file may change during
 * the run.
 */
export const agentPart = (
  agent: Agent,
): Pick<
  Ticket,
  | 'agent'
  | 'harness'
  | 'args'
  | 'instruction'
  | 'tools'
  | 'permissions'
  | 'model'
  | 'provider'
  | 'effort'
  | 'setup'
  | 'skills'
  | 'completesOnExit'
  | 'passEnvironment'
> => ({
  agent: agent.name,
  harness: agent.harness,
  args: [...agent.args],
  instruction: agent.instruction,
  tools: [...agent.tools],
  permissions: agent.permissions,
  model: agent.model,
  provider: agent.provider,
  effort: agent.effort,
  setup: [...agent.setup],
  skills: [...agent.skills],
  completesOnExit: agent.onExit === 'complete',
  passEnvironment: [...agent.env],
})

type TicketInput = Omit<Ticket, keyof typeof NEWER_FIELDS> & Partial<Ticket>

export const writeTicket = (directory: RunDirectory, ticket: TicketInput): Promise<void> =>
  writeWhole(directory.ticket, `${JSON.stringify(ticket, null, 2)}\n`)

/** Reads the ticket. Returns null if it is missing or not valid. */
export function readTicket(directory: Pick<RunDirectory, 'ticket'>): Ticket | null {
  try {
    const given = JSON.parse(readFileSync(directory.ticket, 'utf8')) as Partial<Ticket>
    const ticket = { ...NEWER_FIELDS, ...given } as Ticket
    const isValid = Object.entries(IS_VALID).every(([name, test]) => test(ticket[name as keyof Ticket]))
    return isValid ? ticket : null
  } catch {
    return null
  }
}
