/** The state of an agent. If several states apply, the most urgent one is shown. */
import type { Hue } from '../ui/status-hue.ts'
import type { Member } from './queries.ts'

export type AgentState =
  /** No file defines the agent; only cards name it. */
  | 'unknown'
  /** The agent's program is not on this machine. */
  | 'missing'
  /** The agent's file has errors, needs an approval, or names skills that do not exist. */
  | 'broken'
  /** The agent's account needs a person: to log in, or to end a pause that a person set. */
  | 'account_stopped'
  /** The agent's account waits for the end of a rate limit. */
  | 'account_waits'
  | 'account_tried'
  | 'paused'
  | 'running'
  | 'ready'

type Seen = Pick<Member, 'isUsable' | 'harness' | 'program' | 'cli' | 'args' | 'file' | 'pause' | 'quota' | 'running'>

export function stateOf({ isUsable, harness, program, file, pause, quota, running }: Seen): AgentState {
  if (!isUsable && harness === null && file === null) return 'unknown'
  if (!isUsable) return harness !== null && harness !== 'shell' && program === null ? 'missing' : 'broken'
  if (pause !== null) return 'paused'
  if (quota?.state === 'paused') return quota.until === null ? 'account_stopped' : 'account_waits'
  if (quota?.state === 'trying') return 'account_tried'
  return running > 0 ? 'running' : 'ready'
}

/** The time at which the pause of an agent or of its account ends. Null means that no pause ends without a person. */
export function pauseEndOf(member: Seen): number | null {
  const state = stateOf(member)
  if (state === 'paused') return member.pause?.until ?? null
  return state === 'account_waits' ? (member.quota?.until ?? null) : null
}

const PERMISSIONS = ['read', 'ask', 'edit', 'full'] as const

/** The permissions of the agent. Undefined means that this page does not know them. */
export function permissionOf({
  harness,
  permissions,
}: Pick<Member, 'harness' | 'permissions'>): (typeof PERMISSIONS)[number] | undefined {
  // Programs of these harnesses act without asking Muster, so the permissions in the agent's file do not limit them.
  const effective = harness === 'shell' || harness === 'command' ? 'full' : permissions
  return PERMISSIONS.find((one) => one === effective)
}

const HUES: Readonly<Record<AgentState, Hue>> = {
  unknown: 'blocked',
  missing: 'blocked',
  broken: 'failed',
  account_stopped: 'blocked',
  account_waits: 'waiting',
  account_tried: 'waiting',
  paused: 'waiting',
  running: 'running',
  ready: 'done',
}

export const hueOfState = (state: AgentState): Hue => HUES[state]

export interface RosterFigures {
  readonly agents: number
  readonly running: number
  readonly waiting: number
  readonly isWaitingExact: boolean
}

export const figuresOf = (
  agents: readonly Pick<Member, 'running' | 'waiting' | 'isWaitingExact'>[],
): RosterFigures => ({
  agents: agents.length,
  running: agents.reduce((sum, { running }) => sum + running, 0),
  waiting: agents.reduce((sum, { waiting }) => sum + waiting, 0),
  isWaitingExact: agents.every(({ isWaitingExact }) => isWaitingExact),
})

/**
 * Returns the agent that is `steps` after the open agent in the list. If no agent is open, returns the first or the
 * last agent.
 */
export function neighbour(names: readonly string[], open: string | null, steps: 1 | -1): string | null {
  if (names.length === 0) return null
  const at = open === null ? -1 : names.indexOf(open)
  if (at === -1) return names.at(steps === 1 ? 0 : -1) ?? null
  return names[Math.min(names.length - 1, Math.max(0, at + steps))] ?? null
}
