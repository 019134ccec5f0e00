/** Who would do the work of a card here, or what keeps them from it. Known before a claim, so that it costs no attempt. */
import { basename } from 'node:path'
import type { Reason } from '../core/admission.ts'
import { faultText } from './front-matter.ts'
import type { Harness } from './harness.ts'
import { harnessNamed } from './harnesses/index.ts'
import { brokenFileOf } from './roster.ts'
import type { Broken, Enlisted, Roster } from './roster.ts'

export interface Runner {
  readonly agent: Enlisted
  readonly harness: Harness
}

export function findRunner(name: string, phase: 'work' | 'review', roster: Roster): Runner | Reason {
  if (phase === 'review')
    return {
      gate: 'reviewer',
      message: 'Reviews by agents cannot be started yet.',
      clears: REVIEW_BY_HAND,
      until: null,
    }
  const agent = roster.agents.get(name)
  if (agent === undefined) return unknownAgent(name, brokenFileOf(name, roster))
  const harness = harnessNamed(agent.harness)
  if (harness === null) return notBuiltIn(agent)
  return harness.needsProgram && agent.program === null ? notInstalled(agent) : { agent, harness }
}

const REVIEW_BY_HAND = 'A person approves it, or requests changes'

function unknownAgent(name: string, broken: Broken | null): Reason {
  const [fault] = broken?.faults ?? []
  if (broken !== null && fault !== undefined) {
    const message = `The file of agent ${name} cannot be used: ${faultText(basename(broken.file), fault)}.`
    return { gate: 'assignee', message, clears: `Mend ${broken.file}`, until: null }
  }
  return {
    gate: 'assignee',
    message: `No agent is called ${name}.`,
    clears: `Add agents/${name}.md, or give the card to another agent`,
    until: null,
  }
}

const notBuiltIn = ({ name, harness }: Enlisted): Reason => ({
  gate: 'harness',
  message: `Agent ${name} needs the harness ${harness}, which is not built in yet.`,
  clears: 'Give the card to another agent',
  until: null,
})

const notInstalled = ({ name, args }: Enlisted): Reason => ({
  gate: 'harness',
  message: `Agent ${name} runs ${args[0] ?? ''}, which is not installed here.`,
  clears: `Install it, or mend agents/${name}.md`,
  until: null,
})

/** What keeps a card as it stands from being started by whoever is named. */
export function obstaclesHere(
  task: Parameters<Harness['faultIn']>[0],
  who: { readonly name: string; readonly phase: 'work' | 'review' },
  roster: Roster,
): readonly Reason[] {
  const found = findRunner(who.name, who.phase, roster)
  if ('gate' in found) return [found]
  const fault = found.harness.faultIn(task, found.agent)
  return fault === null
    ? []
    : [{ gate: 'harness', message: fault, clears: `muster edit ${task.id} --body <text>`, until: null }]
}
