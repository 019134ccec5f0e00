/**
 * What keeps a card as it stands from being started here, by who is to start it. Looked at before the claim, so that it
 * costs no attempt. Whether a program is logged in is not among it: keychains, helpers and files of its own decide that,
 * and a card that is held back by mistake is worse than one run that fails and pauses its account.
 */
import type { Reason } from '../core/admission.ts'
import type { Task } from '../core/task.ts'
import { bringerOf } from './brought-agents.ts'
import { findRunner, isUnknown } from './runner.ts'
import type { Runner } from './runner.ts'
import type { Roster } from './roster.ts'
import { askedSkills } from './skills/asked-skills.ts'
import { folderOf } from './skills/card-shelves.ts'
import { missingSkills, missingText, skillPlace } from './skills/missing-skills.ts'
import { SkillFinder } from './skills/skill-finder.ts'

type Card = Pick<Task, 'id' | 'body' | 'model' | 'provider' | 'effort' | 'skills' | 'workspace'>

export class Preflight {
  readonly #home: string
  readonly #finder: SkillFinder
  /** Cards of one repository ask for the same: it is looked through once. */
  readonly #bringers = new Map<string, Promise<string | null>>()

  constructor(home: string) {
    this.#home = home
    this.#finder = new SkillFinder(home)
  }

  /** Everything that is in the way of whoever is named. */
  async obstacles(
    task: Card,
    { name, phase }: { readonly name: string; readonly phase: 'work' | 'review' },
    roster: Roster,
  ): Promise<readonly Reason[]> {
    const found = findRunner(name, phase, roster)
    if (!('gate' in found)) return this.obstaclesFor(task, found, phase)
    return [isUnknown(name, roster) ? await this.absence(task, { name, found }) : found]
  }

  /** Why somebody does not come whom nothing here is called: the repository where the card is to work may bring them. */
  async absence(
    { workspace }: Pick<Card, 'workspace'>,
    { name, found }: { readonly name: string; readonly found: Reason },
  ): Promise<Reason> {
    const folder = folderOf(workspace)
    const bringer = folder === null ? null : await this.#bringerOf(name, folder)
    if (bringer === null) return found
    const message = `Agent ${name} comes with ${bringer}, and nobody has approved it.`
    return { ...found, message, clears: `muster agents approve ${bringer}` }
  }

  async obstaclesFor(task: Card, runner: Runner, phase: 'work' | 'review'): Promise<readonly Reason[]> {
    return [
      ...bodyFault(task, runner),
      ...(await this.#skillFault(task, runner, phase)),
      ...modelFault(task, runner),
      ...effortFault(task, runner),
    ]
  }

  #bringerOf(name: string, folder: string): Promise<string | null> {
    const key = JSON.stringify([name, folder])
    const bringer = this.#bringers.get(key) ?? bringerOf(name, folder)
    this.#bringers.set(key, bringer)
    return bringer
  }

  async #skillFault(task: Card, { agent }: Runner, phase: 'work' | 'review'): Promise<readonly Reason[]> {
    const { names } = askedSkills({ task, role: phase, standing: agent.skills })
    if (names.length === 0) return []
    const missing = await missingSkills(this.#finder, names, [folderOf(task.workspace)])
    if (missing === null) return []
    const [name = ''] = [...missing.unknown, ...missing.broken.map((one) => one.name)]
    const isCards = phase === 'work' && task.skills !== null
    const instead = isCards ? `muster edit ${task.id} --skill <name>` : `mend agents/${agent.name}.md`
    const clears = `${missing.unknown.length === 0 ? 'Mend' : 'Add'} ${skillPlace(this.#home, name)}, or ${instead}`
    return [{ gate: 'skill', message: missingText(missing), clears, until: null }]
  }
}

function bodyFault(task: Card, { harness, agent }: Runner): readonly Reason[] {
  const message = harness.faultIn(task, agent)
  return message === null
    ? []
    : [{ gate: 'harness', message, clears: `muster edit ${task.id} --body <text>`, until: null }]
}

/** What the words alone tell: who serves it, and whether it is there, only asking would tell. */
function modelFault(task: Card, { harness, agent }: Runner): readonly Reason[] {
  const message = harness.modelFault?.(task.model ?? agent.model, task.provider ?? agent.provider) ?? null
  if (message === null) return []
  const clears = task.model === null ? `Mend agents/${agent.name}.md` : `muster edit ${task.id} --model <name>`
  return [{ gate: 'model', message, clears, until: null }]
}

function effortFault(task: Card, { harness, agent }: Runner): readonly Reason[] {
  const message = harness.effortFault?.(task.effort ?? agent.effort) ?? null
  if (message === null) return []
  const clears = task.effort === null ? `Mend agents/${agent.name}.md` : `muster edit ${task.id} --effort <word>`
  return [{ gate: 'model', message, clears, until: null }]
}
