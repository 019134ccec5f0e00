/**
 * Finds the agent that replaces an exhausted agent. While the account of an agent is exhausted, its `fallback` runs its
 * cards. The card keeps its assignee, and the run belongs to the fallback. If the fallback is not free either, its own
 * fallback is tried, and so on.
 */
import type { Account } from '../core/account.ts'
import { isPaused, isSlotPaused } from '../core/gates/admission.ts'
import { isOpen, parseActiveHours } from '../core/gates/active-hours.ts'
import type { LocalZone } from '../core/gates/active-hours.ts'
import { obstacle } from '../core/reasons/reason.ts'
import type { AgentRole, Obstacle } from '../core/reasons/reason.ts'
import type { Slot } from '../core/slot.ts'
import type { Task } from '../core/task.ts'
import type { Agent } from './agent.ts'
import { isWiderAgent } from './permissions.ts'
import type { LocalAgent, Roster } from './roster.ts'
import { findRunner } from './runner.ts'
import type { Runner } from './runner.ts'

/** The state that decides whether an agent can work now. */
export interface FallbackState {
  readonly accounts: readonly Account[]
  readonly slots: readonly Slot[]
  readonly zone: LocalZone
  readonly now: number
}

export interface FallbackRunner extends Runner {
  /** The agent that the card names. */
  readonly insteadOf: LocalAgent
  /** The reason why the replaced agent cannot work: its account is paused because of its quota or its login. */
  readonly pause: Extract<Obstacle, { code: 'account_paused' }>
}

/** Finds a fallback that is free now. Returns null if the agent itself can work, or if no fallback is free. */
export function findFallback(
  { agent, role, roster }: { readonly agent: LocalAgent; readonly role: AgentRole; readonly roster: Roster },
  state: FallbackState,
): FallbackRunner | null {
  const pause = exhaustion(agent, state)
  // If a person paused the agent or limited its hours, its cards wait and get no fallback.
  if (pause === null || !isFree(agent, state)) return null
  for (const name of fallbacksOf(agent, roster).names) {
    const found = findRunner(name, role, roster)
    if ('code' in found || isWiderAgent(found.agent, agent)) continue
    const account = accountOf(found.agent, state)
    const hasAccount = account === null || !isPaused(account, state.now)
    if (hasAccount && isFree(found.agent, state)) return { ...found, insteadOf: agent, pause }
  }
  return null
}

/** The fallbacks of an agent in order. If the fallbacks form a cycle, the cycle is returned too. */
export function fallbacksOf(
  agent: Pick<Agent, 'name' | 'fallback'>,
  { agents }: Pick<Roster, 'agents'>,
): { readonly names: readonly string[]; readonly cycle: readonly string[] | null } {
  const names: string[] = []
  for (let next = agent.fallback; next !== null; next = agents.get(next)?.fallback ?? null) {
    const path = [agent.name, ...names]
    if (path.includes(next)) return { names, cycle: [...path.slice(path.indexOf(next)), next] }
    names.push(next)
  }
  return { names, cycle: null }
}

/**
 * Whether the fallback may run the card. It may not if the card sets a model, provider or effort, because these
 * settings belong to the program of the card's own agent. It may not review its own work either.
 */
export function fitsCard(
  { agent, insteadOf }: FallbackRunner,
  { model, provider, effort, assignee }: Pick<Task, 'model' | 'provider' | 'effort' | 'assignee'>,
  { phase, hasWorked }: { readonly phase: 'work' | 'review'; readonly hasWorked: boolean },
): boolean {
  const isNeutral = model === null && provider === null && effort === null
  if (!isNeutral && agent.harness !== insteadOf.harness) return false
  return phase === 'work' || (!hasWorked && assignee !== agent.name)
}

/** The errors in an agent's fallback, for `agents check`. */
export function fallbackFaults(agent: LocalAgent, roster: Roster): readonly string[] {
  const { name, fallback, account } = agent
  if (fallback === null) return []
  const { cycle } = fallbacksOf(agent, roster)
  if (cycle !== null) return [`The fallbacks of agent ${name} form a cycle: ${cycle.join(' → ')}.`]
  const found = roster.agents.get(fallback)
  if (found === undefined) return [`The fallback of agent ${name} is ${fallback}, which does not exist.`]
  if (isWiderAgent(found, agent))
    return [`Agent ${fallback} may do more than agent ${name}, so it is never used as its fallback.`]
  return found.account === account
    ? [`Agent ${fallback} uses the same account as agent ${name}, so it cannot be its fallback.`]
    : []
}

const accountOf = ({ account }: Pick<Agent, 'account'>, { accounts }: FallbackState): Account | null =>
  accounts.find(({ name }) => name === account) ?? null

/**
 * The pause of an exhausted account. Null means that the account is not exhausted. A pause by a person does not count,
 * because the person wants the cards to wait.
 */
function exhaustion(agent: LocalAgent, state: FallbackState): FallbackRunner['pause'] | null {
  const account = accountOf(agent, state)
  if (account === null || account.pauseCause === 'person' || !isPaused(account, state.now)) return null
  const { name, pauseCause: cause, pauseReason: reason, pausedUntil } = account
  return obstacle('account_paused', { account: name, cause, reason }, pausedUntil)
}

function isFree({ name, activeHours }: LocalAgent, { slots, zone, now }: FallbackState): boolean {
  if (slots.some((slot) => slot.kind === 'agent' && slot.name === name && isSlotPaused(slot, now))) return false
  const hours = activeHours === null ? null : parseActiveHours(activeHours)
  return hours === null || 'fault' in hours || isOpen(hours, now, zone)
}
