/**
 * Finds the obstacles that keep a card from starting on this machine. The dispatcher calls this before the claim, so
 * that an obstacle does not use up an attempt. Logins are not checked, because each CLI stores its login differently.
 * One failed run that pauses the account is better than a card that waits by mistake.
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
import { requestedSkills } from './skills/requested-skills.ts'
import { cardFolder } from './skills/skill-folders.ts'
import { missingSkills, skillPlace } from './skills/missing-skills.ts'
import { SkillFinder } from './skills/skill-finder.ts'

type Card = Pick<Task, 'id' | 'body' | 'goal' | 'model' | 'provider' | 'effort' | 'skills' | 'workspace'>

export class Preflight {
  readonly #home: string
  readonly #finder: SkillFinder
  /**
   * The nearest folder with a file for an agent, by agent and repository. The folders are cached, because cards of one
   * repository often name the same agent.
   */
  readonly #folders = new Map<string, Promise<string | null>>()

  constructor(home: string) {
    this.#home = home
    this.#finder = new SkillFinder(home)
  }

  /** All obstacles that keep the named agent from running the card. */
  async obstacles(
    task: Card,
    { name, role }: { readonly name: string; readonly role: AgentRole },
    roster: Roster,
  ): Promise<readonly Obstacle[]> {
    const found = findRunner(name, role, roster)
    if (!('code' in found)) return this.obstaclesFor(task, found, role === 'reviewer' ? 'review' : 'work')
    return [isUnknown(name, roster) ? await this.explainUnknown(task, found) : found]
  }

  /**
   * The obstacle for an unknown agent. If the card's repository defines the agent without an approval, the obstacle
   * reports this.
   */
  async explainUnknown({ workspace }: Pick<Card, 'workspace'>, fault: AgentFault): Promise<Obstacle> {
    const { agent, role } = fault.params
    const folder = cardFolder(workspace)
    const repository = folder === null ? null : await this.#folderWithAgent(agent, folder)
    return repository === null ? fault : obstacle('agent_unapproved', { agent, role, folder: repository })
  }

  async obstaclesFor(task: Card, runner: Runner, phase: 'work' | 'review'): Promise<readonly Obstacle[]> {
    return [
      ...bodyObstacles(task, runner),
      ...(phase === 'work' ? goalObstacles(task, runner) : []),
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
    const { required } = requestedSkills({ task, role: phase, ofAgent: agent.skills })
    if (required.length === 0) return []
    const missing = await missingSkills(this.#finder, required, [cardFolder(task.workspace)])
    if (missing === null) return []
    const [first = ''] = [...missing.unknown, ...missing.broken.map(({ name }) => name)]
    const from = phase === 'work' && task.skills !== null ? 'card' : 'agent'
    return [obstacle('skills_missing', { agent: agent.name, ...missing, file: skillPlace(this.#home, first), from })]
  }
}

/**
 * The maximum size of a body that becomes an argument. Linux allows 128 KiB for an argument, which must also hold the
 * text around the body.
 */
const BODY_ARGUMENT_BYTES = 96 * 1024

function bodyObstacles({ body }: Card, { harness, agent }: Runner): readonly Obstacle[] {
  const text = body ?? ''
  if (harness.runsTheCard && text.trim() === '') return [obstacle('body_missing', { agent: agent.name })]
  const isArgument = harness.fillsPlaceholders === true && placeholdersIn(agent.args).has('body')
  const isTooLong = isArgument && Buffer.byteLength(text) > BODY_ARGUMENT_BYTES
  return isTooLong ? [obstacle('body_too_long', { agent: agent.name })] : []
}

/** An agent whose card ends when its program exits gets no further turn. */
const goalObstacles = ({ goal }: Card, { agent }: Runner): readonly Obstacle[] =>
  goal === null || agent.onExit === 'verdict' ? [] : [obstacle('goal_unsupported', { agent: agent.name })]

/**
 * The obstacles that the model of the card causes. Only a missing provider is found here, because the agent's program
 * itself reports a wrong model.
 */
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
