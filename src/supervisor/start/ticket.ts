/** The file with which a supervisor starts. It holds the claim's token, so only its owner may read it. */
import { readFileSync } from '../../util/guarded-files.ts'
import { isRunId, isSlug, isTaskId } from '../../core/ids.ts'
import type { RunId, TaskId } from '../../core/ids.ts'
import type { Agent } from '../../agents/agent.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { writeWhole } from '../../runs/files/run-directory.ts'

export interface Ticket {
  readonly version: 1
  readonly home: string
  /** The machine id that the dispatcher uses; null: the id that the system gives. */
  readonly machine: string | null
  /** Where the store is, as `parseLocation` reads it. */
  readonly store: string
  readonly board: string
  readonly task: TaskId
  readonly run: RunId
  readonly token: string
  readonly agent: string
  readonly harness: string
  /** The program of a `command` agent and its arguments, placeholders and all. */
  readonly args: readonly string[]
  readonly instruction: string
  /** Names of tools that its file gives it. */
  readonly tools: readonly string[]
  readonly permissions: Agent['permissions']
  readonly model: string | null
  readonly provider: string | null
  readonly effort: string | null
  /** Commands for a fresh workspace. */
  readonly setup: readonly string[]
  readonly skills: readonly string[]
  /** Whether a run that ends without a verdict is complete when it exits 0. */
  readonly completesOnExit: boolean
  /** Variables of the supervisor's own environment that the agent's file asked for. */
  readonly passEnvironment: readonly string[]
  /** How long an agent may live on after its verdict. */
  readonly turnEndMs: number
  readonly terminateGraceMs: number
  readonly killWaitMs: number
  readonly logMaxBytes: number
  /** How long the agent may wait for a limit to end. */
  readonly quotaWaitMs: number
  /** How long an ACP agent may take to open its session. */
  readonly sessionWaitMs: number
}

/** Fields that older builds did not write. */
const LATER = {
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
} satisfies Partial<Ticket>

const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || isText(value)
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isSpan = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1
const is = (test: (text: string) => boolean) => (value: unknown) => typeof value === 'string' && test(value)

/** By hand, not by schema: the next card waits for this, and building the schema takes longer than all the rest of it. */
const SOUND: Readonly<Record<keyof Ticket, (value: unknown) => boolean>> = {
  version: (value) => value === 1,
  home: isText,
  machine: isTextOrNull,
  store: isText,
  board: is(isSlug),
  task: is(isTaskId),
  run: is(isRunId),
  token: isText,
  agent: is((text) => text.trim() !== ''),
  harness: isText,
  args: isTexts,
  instruction: isText,
  tools: isTexts,
  permissions: isText,
  model: isTextOrNull,
  provider: isTextOrNull,
  effort: isTextOrNull,
  setup: isTexts,
  skills: isTexts,
  completesOnExit: (value) => typeof value === 'boolean',
  passEnvironment: isTexts,
  turnEndMs: isSpan,
  terminateGraceMs: isSpan,
  killWaitMs: isSpan,
  logMaxBytes: isSpan,
  quotaWaitMs: isSpan,
  sessionWaitMs: isSpan,
}

/** What a ticket says of the agent: its file may change while the run lives. */
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

type Written = Omit<Ticket, keyof typeof LATER> & Partial<Ticket>

export const writeTicket = (directory: RunDirectory, ticket: Written): Promise<void> =>
  writeWhole(directory.ticket, `${JSON.stringify(ticket, null, 2)}\n`)

/** Null when there is none, or none that can be used. */
export function readTicket(directory: Pick<RunDirectory, 'ticket'>): Ticket | null {
  try {
    const given = JSON.parse(readFileSync(directory.ticket, 'utf8')) as Partial<Ticket>
    const ticket = { ...LATER, ...given } as Ticket
    const isSound = Object.entries(SOUND).every(([name, test]) => test(ticket[name as keyof Ticket]))
    return isSound ? ticket : null
  } catch {
    return null
  }
}
