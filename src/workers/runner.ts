/** Who would do the work of a card here, or what keeps them from it. Known before a claim, so that it costs no attempt. */
import type { Reason } from '../core/admission.ts'
import type { Agent } from './agent.ts'
import type { Harness } from './harness.ts'
import { harnessNamed } from './harnesses/index.ts'
import type { Roster } from './roster.ts'

export interface Runner {
  readonly agent: Agent
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
  if (agent === undefined) return unknownAgent(name, roster)
  const harness = harnessNamed(agent.harness)
  if (harness !== null) return { agent, harness }
  const message = `Agent ${name} needs the harness ${agent.harness}, which cannot be started yet.`
  return { gate: 'harness', message, clears: 'Give the card to another agent', until: null }
}

const REVIEW_BY_HAND = 'A person approves it, or requests changes'

function unknownAgent(name: string, { faults }: Roster): Reason {
  const broken = faults.find(({ file }) => file.toLowerCase().endsWith(`/${name}.md`))
  return broken
    ? { gate: 'assignee', message: `Agent file ${broken.file}: ${broken.fault}.`, clears: 'Mend the file', until: null }
    : {
        gate: 'assignee',
        message: `No agent is called ${name}.`,
        clears: `Add agents/${name}.md, or give the card to another agent`,
        until: null,
      }
}

/** What keeps a card as it stands from being started by whoever is named. */
export function obstaclesHere(
  task: Parameters<Harness['faultIn']>[0],
  who: { readonly name: string; readonly phase: 'work' | 'review' },
  roster: Roster,
): readonly Reason[] {
  const found = findRunner(who.name, who.phase, roster)
  if ('gate' in found) return [found]
  const fault = found.harness.faultIn(task)
  return fault === null
    ? []
    : [{ gate: 'harness', message: fault, clears: `muster edit ${task.id} --body <text>`, until: null }]
}
