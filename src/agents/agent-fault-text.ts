/** The sentence for each reason why an agent cannot run on this machine. */
import type { ReasonParams } from '../core/reasons/reason.ts'
import { cliNamed } from '../harnesses/detect/clis.ts'
import type { AgentFault } from './runner.ts'

type Texts = { readonly [C in AgentFault['code']]: (params: ReasonParams[C]) => string }

const ROLE_TEXTS = {
  assignee: '',
  default_assignee: " (the board's default assignee)",
  reviewer: ' (the reviewer of this card)',
} as const

export const AGENT_FAULT_TEXTS: Texts = {
  agent_unknown: ({ agent, role }) => {
    const cli = cliNamed(agent)
    return cli === null
      ? `No agent is called ${agent}${ROLE_TEXTS[role]}.`
      : `${cli.title} is not set up on this machine${ROLE_TEXTS[role]}.`
  },
  agent_file_broken: ({ agent, fault }) => `The file of agent ${agent} cannot be used: ${fault}.`,
  agent_file_changed: ({ agent }) => `The file of agent ${agent} has changed since it was approved.`,
  agents_unreadable: ({ agent, fault }) => `Agent ${agent} cannot be looked up: ${fault}.`,
  agent_unapproved: ({ agent, folder }) => `Agent ${agent} is defined in ${folder} and needs your approval.`,
  program_missing: ({ agent, program }) =>
    `Agent ${agent} runs ${cliNamed(program)?.title ?? program ?? 'a program'}, which is not installed here.`,
}

/** The cast is safe: the parameters always belong to the code, but the compiler cannot check that. */
export const agentFaultText = ({ code, params }: AgentFault): string =>
  (AGENT_FAULT_TEXTS[code] as (params: AgentFault['params']) => string)(params)
