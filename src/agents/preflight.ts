/**
 * What keeps a card from starting on this machine. Checked before the claim, so that it costs no attempt. Logins are not
 * checked: each CLI has its own keychains, helpers and files, and a card held back by mistake is worse than one run that
 * fails and pauses its account.
 */
import { obstacle } from '../core/reasons/reason.ts'
import type { AgentRole, Obstacle } from '../core/reasons/reason.ts'
import type { Task } from '../core/task.ts'
import { folderWithAgent } from './find-repository-agents.ts'
import { isKnownEffort } from '../harnesses/index.ts'
import { placeholdersIn } from '../harnesses/placeholders.ts'
import { findRunner, isUnknown } from './runner.ts'
import type { AgentFault, Runner } from './runner.ts'
import type { Roster } from './roster.ts'
import { askedSkills } from './skills/asked-skills.ts'
import { folderOf } from './skills/card-shelves.ts'
import { missingSkills, skillPlace } from './skills/missing-skills.ts'
import { SkillFinder } from './skills/skill-finder.ts'

type Card = Pick<Task, 'id' | 'body' | 'model' | 'provider' | 'effort' | 'skills' | 'workspace'>

export class Preflight {
  readonly #home: string
  readonly #finder: SkillFinder
  /** Cards of one repository often name the same agent, so each is searched for once. */
  readonly #folders = new Map<string, Promise<string | null>>()

  constructor(home: string) {
    this.#home = home
    this.#finder = new SkillFinder(home)
  }

  /** Every obstacle for the named agent. */
  async obstacles(
    task: Card,
    { name, role }: { readonly name: string; readonly role: AgentRole },
    roster: Roster,
  ): Promise<readonly Obstacle[]> {
    const found = findRunner(name, role, roster)
    if (!('code' in found)) return this.obstaclesFor(task, found, role === 'reviewer' ? 'review' : 'work')
    return [isUnknown(name, roster) ? await this.absence(task, found) : found]
  }

  /** Explains an unknown agent: the card's repository may define it, unapproved. */
  async absence({ workspace }: Pick<Card, 'workspace'>, fault: AgentFault): Promise<Obstacle> {
    const { agent, role } = fault.params
    const folder = folderOf(workspace)
    const repository = folder === null ? null : await this.#folderWithAgent(agent, folder)
    return repository === null ? fault : obstacle('agent_unapproved', { agent, role, folder: repository })
  }

  async obstaclesFor(task: Card, runner: Runner, phase: 'work' | 'review'): Promise<readonly Obstacle[]> {
    return [
      ...bodyObstacles(task, runner),
      ...(await this.#skillObstacles(task, runner, phase)),
      ...modelObstacles(task, runner),
      ...effortObstacles(task, runner),
    ]
  }

  #folderWithAgent(name: string, folder: string): Promise<string | null> {
    const key = JSON.stringify([name, folder])
    const found = this.#folders.get(key) ?? folderWithAgent(name, folder)
    this.#folders.set(key, found)
    return found
  }

  async #skillObstacles(task: Card, { agent }: Runner, phase: 'work' | 'review'): Promise<readonly Obstacle[]> {
    const { names } = askedSkills({ task, role: phase, standing: agent.skills })
    if (names.length === 0) return []
    const missing = await missingSkills(this.#finder, names, [folderOf(task.workspace)])
    if (missing === null) return []
    const [first = ''] = [...missing.unknown, ...missing.broken.map(({ name }) => name)]
    const from = phase === 'work' && task.skills !== null ? 'card' : 'agent'
    return [obstacle('skills_missing', { agent: agent.name, ...missing, file: skillPlace(this.#home, first), from })]
  }
}

/** Linux limits one argument to 128 KiB; the rest is for the text around the body. */
const BODY_ARGUMENT_BYTES = 96 * 1024

function bodyObstacles({ body }: Card, { harness, agent }: Runner): readonly Obstacle[] {
  const text = body ?? ''
  if (harness.runsTheCard && text.trim() === '') return [obstacle('body_missing', { agent: agent.name })]
  const isArgument = harness.fillsPlaceholders === true && placeholdersIn(agent.args).has('body')
  const isTooLong = isArgument && Buffer.byteLength(text) > BODY_ARGUMENT_BYTES
  return isTooLong ? [obstacle('body_too_long', { agent: agent.name })] : []
}

/** Checks only the form: whether the provider has the model shows when it runs. */
function modelObstacles(task: Card, { harness, agent }: Runner): readonly Obstacle[] {
  const model = task.model ?? agent.model
  const provider = task.provider ?? agent.provider
  if (!harness.needsProvider || model === null || provider !== null || model.includes('/')) return []
  const from = task.model === null ? 'agent' : 'card'
  return [obstacle('model_without_provider', { agent: agent.name, program: harness.program, model, from })]
}

function effortObstacles(task: Card, { harness, agent }: Runner): readonly Obstacle[] {
  const effort = task.effort ?? agent.effort
  const { program, efforts: known = [] } = harness
  if (effort === null || isKnownEffort(harness, effort)) return []
  const from = task.effort === null ? 'agent' : 'card'
  return [obstacle('effort_unknown', { agent: agent.name, program, effort, known, from })]
}
