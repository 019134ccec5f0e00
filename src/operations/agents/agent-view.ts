/** Describes the agents of this machine: their files, their problems, and the number of cards that wait for them. */
import { basename, dirname } from 'node:path'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import { nearest } from '../../util/nearest.ts'
import { agentFaultText } from '../../agents/agent-fault-text.ts'
import { faultText } from '../../agents/front-matter.ts'
import { readRoster } from '../../agents/roster.ts'
import type { LocalAgent, Roster } from '../../agents/roster.ts'
import { findRunner } from '../../agents/runner.ts'
import { missingSkills, missingText } from '../../agents/skills/missing-skills.ts'
import { SkillFinder } from '../../agents/skills/skill-finder.ts'
import type { AgentView } from './views.ts'
import type { LocalContext } from '../shared/operation.ts'

/** The maximum number of waiting cards to count, because a million cards may wait. */
export const MOST_WAITING = 1000

/**
 * Reads the agents. Throws an error if the agents folder cannot be read, because an empty list would suggest that no
 * agents exist.
 */
export async function requireRoster({
  options: { home },
  env,
}: Pick<LocalContext, 'options' | 'env'>): Promise<Roster> {
  const roster = await readRoster(home, env)
  if (roster.unreadable === null) return roster
  const folder = inHome.agents(home)
  throw new BoardError('store_io', `${roster.unreadable}, so your agents cannot run. Make the folder readable.`, {
    details: { folder },
  })
}

/** Lists every agent that has a file, is built in, or is named by a waiting card. The list is sorted by name. */
export async function viewAgents(
  home: string,
  roster: Roster,
  waiting: ReadonlyMap<string, number>,
): Promise<readonly AgentView[]> {
  const names = new Set([...roster.agents.keys(), ...roster.broken.keys(), ...waiting.keys()])
  const finder = new SkillFinder(home)
  const view = async (name: string): Promise<AgentView> => {
    const problems = [...problemsOf(name, roster), ...(await skillProblems(home, roster.agents.get(name), finder))]
    return viewAgent(name, roster, { problems, waiting: waiting.get(name) ?? 0 })
  }
  return Promise.all([...names].toSorted().map(view))
}

function viewAgent(
  name: string,
  roster: Roster,
  { problems, waiting }: Pick<AgentView, 'problems' | 'waiting'>,
): AgentView {
  const agent = roster.agents.get(name)
  return {
    name,
    description: agent?.description ?? null,
    harness: agent?.harness ?? null,
    args: agent?.args ?? [],
    env: agent?.env ?? [],
    account: agent?.account ?? null,
    activeHours: agent?.activeHours ?? null,
    fallback: agent?.fallback ?? null,
    permissions: agent?.permissions ?? null,
    onExit: agent?.onExit ?? null,
    model: agent?.model ?? null,
    provider: agent?.provider ?? null,
    effort: agent?.effort ?? null,
    tools: agent?.tools ?? [],
    setup: agent?.setup ?? [],
    checks: agent?.checks ?? [],
    skills: agent?.skills ?? [],
    maxConcurrent: agent?.maxConcurrent ?? null,
    maxRuntimeMs: agent?.maxRuntimeMs ?? null,
    file: agent?.file ?? roster.broken.get(name)?.file ?? null,
    program: agent?.program ?? null,
    isUsable: problems.length === 0,
    problems,
    waiting,
  }
}

function problemsOf(name: string, roster: Roster): readonly string[] {
  const broken = roster.broken.get(name)
  if (broken !== undefined) return broken.faults.map((fault) => faultText(basename(broken.file), fault))
  const found = findRunner(name, 'assignee', roster)
  return 'code' in found ? [agentFaultText(found)] : []
}

/**
 * The missing skills of an agent. The repository of the agent file is searched too, although only cards in that
 * repository get its skills.
 */
async function skillProblems(
  home: string,
  agent: LocalAgent | undefined,
  finder: SkillFinder,
): Promise<readonly string[]> {
  if (agent === undefined || agent.file === null || agent.skills.length === 0) return []
  const folder = dirname(agent.file)
  const missing = await missingSkills(finder, agent.skills, [folder === inHome.agents(home) ? null : folder])
  return missing === null
    ? []
    : [`${missingText(missing)} Its cards wait until that is fixed, unless their repository has the skill.`]
}

/**
 * The command line of the agent, without the arguments that its harness adds. Null means that the agent has no program.
 */
export function commandOf({ harness, program, args }: AgentView): readonly string[] | null {
  const isNamed = harness === 'command' || harness === 'acp'
  const found = program ?? (isNamed ? args[0] : null) ?? null
  return found === null ? null : [found, ...(isNamed ? args.slice(1) : args)]
}

/** The number of waiting cards by agent. Empty if the store does not exist yet. */
export async function countWaiting({
  openStore,
  endsAfter = false,
}: LocalContext): Promise<ReadonlyMap<string, number>> {
  const store = await openStore('read').catch((error: unknown) => {
    if (error instanceof BoardError && error.code === 'store_missing') return null
    throw error
  })
  if (store === null) return new Map()
  try {
    return await countByAgent(store)
  } finally {
    await store.close({ exiting: endsAfter })
  }
}

export async function countByAgent(store: Pick<Store, 'lanes' | 'laneSize'>): Promise<ReadonlyMap<string, number>> {
  const waiting = new Map<string, number>()
  for (const lane of await store.lanes()) {
    if (lane.agent === null) continue
    const before = waiting.get(lane.agent) ?? 0
    waiting.set(lane.agent, before + (await store.laneSize(lane, MOST_WAITING - before)))
  }
  return waiting
}

/**
 * Whether the name and the file belong together. The name `coder` also matches the invalid file `Coder.md`, so that the
 * problem of this file is shown.
 */
export const isSpelled =
  (name: string) =>
  (agent: Pick<AgentView, 'name'>): boolean =>
    agent.name.toLowerCase() === name

export const namesOf = (agents: readonly Pick<AgentView, 'name'>[]): readonly string[] => agents.map(({ name }) => name)

export function noSuchAgent(name: string, known: Iterable<string>): BoardError {
  const meant = nearest(name, [...known])
  const hint = meant === null ? '. To list the agents: muster agents' : `. Did you mean ${meant}?`
  return new BoardError('agent_not_found', `There is no agent ${name}${hint}`, { details: { name, meant } })
}
