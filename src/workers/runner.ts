/** Who would do the work of a card here, or what keeps them from it. Known before a claim, so that it costs no attempt. */
import { basename } from 'node:path'
import type { Reason } from '../core/admission.ts'
import { approving } from './approved-agents.ts'
import { faultText } from './front-matter.ts'
import type { Harness } from './harness.ts'
import { harnessOf, programName } from './harnesses/index.ts'
import { brokenFileOf } from './roster.ts'
import type { Enlisted, Roster } from './roster.ts'

export interface Runner {
  readonly agent: Enlisted
  readonly harness: Harness
}

export function findRunner(name: string, phase: 'work' | 'review', roster: Roster): Runner | Reason {
  const agent = roster.agents.get(name)
  if (agent === undefined) return unknownAgent(name, phase, roster)
  const harness = harnessOf(agent)
  return harness.needsProgram && agent.program === null ? notInstalled(agent) : { agent, harness }
}

/** Whether nothing here is called that: no agent, and no file that could not be read as one. */
export const isUnknown = (name: string, roster: Roster): boolean =>
  !roster.agents.has(name) && brokenFileOf(name, roster) === null

/** Whoever was to review it may stay away for ever: a person can always do it instead. */
const INSTEAD = {
  work: 'give the card to another agent',
  review: 'name another reviewer, or review it yourself',
} as const

function unknownAgent(name: string, phase: 'work' | 'review', roster: Roster): Reason {
  const broken = brokenFileOf(name, roster)
  const gate = phase === 'review' ? 'reviewer' : 'assignee'
  const [fault] = broken?.faults ?? []
  if (broken?.isChanged) {
    const message = `The file of agent ${name} has changed since it was approved.`
    return { gate, message, clears: approving(broken.file), until: null }
  }
  if (broken !== null && fault !== undefined) {
    const message = `The file of agent ${name} cannot be used: ${faultText(basename(broken.file), fault)}.`
    return { gate, message, clears: `Mend ${broken.file}`, until: null }
  }
  if (roster.unreadable !== null) {
    const message = `Whether there is an agent ${name} cannot be seen: ${roster.unreadable}.`
    return { gate, message, clears: 'Mend that folder', until: null }
  }
  const message =
    phase === 'review' ? `No agent is called ${name}, who is to review it.` : `No agent is called ${name}.`
  return { gate, message, clears: `Add agents/${name}.md, or ${INSTEAD[phase]}`, until: null }
}

const notInstalled = (agent: Enlisted): Reason => ({
  gate: 'harness',
  message: `Agent ${agent.name} runs ${programName(agent) ?? ''}, which is not installed here.`,
  clears: `Install it, or mend agents/${agent.name}.md`,
  until: null,
})
