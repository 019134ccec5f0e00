/**
 * Finds the agent that would run a card on this machine, or the reason why this agent cannot run. The dispatcher calls
 * this before the claim, so that an obstacle does not use up an attempt.
 */
import { basename } from 'node:path'
import { obstacle } from '../core/reasons/reason.ts'
import type { AgentRole, Obstacle } from '../core/reasons/reason.ts'
import { repositoryOf } from './approved-agents.ts'
import { faultText } from './front-matter.ts'
import type { HarnessTraits } from '../harnesses/harness.ts'
import { harnessOf, programName } from '../harnesses/index.ts'
import { brokenFileOf } from './roster.ts'
import type { LocalAgent, Roster } from './roster.ts'

export interface Runner {
  readonly agent: LocalAgent
  readonly harness: HarnessTraits
}

/** An obstacle whose cause is the agent, not the card. */
export type AgentFault = Extract<Obstacle, { params: { role: AgentRole } }>

export function findRunner(name: string, role: AgentRole, roster: Roster): Runner | AgentFault {
  const agent = roster.agents.get(name)
  if (agent === undefined) return unknownAgent(name, role, roster)
  const harness = harnessOf(agent)
  const program = programName(harness, agent.args)
  return program !== null && agent.program === null
    ? obstacle('program_missing', { agent: name, role, program })
    : { agent, harness }
}

export const roleIn = (phase: 'work' | 'review'): AgentRole => (phase === 'review' ? 'reviewer' : 'assignee')

/** Whether this machine has no agent file with that name, not even a file with faults. */
export const isUnknown = (name: string, roster: Roster): boolean =>
  !roster.agents.has(name) && brokenFileOf(name, roster) === null

function unknownAgent(name: string, role: AgentRole, roster: Roster): AgentFault {
  const broken = brokenFileOf(name, roster)
  const [fault] = broken?.faults ?? []
  const about = { agent: name, role }
  if (broken?.isChanged) {
    const { file } = broken
    return obstacle('agent_file_changed', { ...about, file, folder: repositoryOf(file) })
  }
  if (broken !== null && fault !== undefined)
    return obstacle('agent_file_broken', {
      ...about,
      file: broken.file,
      fault: faultText(basename(broken.file), fault),
    })
  if (roster.unreadable !== null) return obstacle('agents_unreadable', { ...about, fault: roster.unreadable })
  return obstacle('agent_unknown', about)
}
