/**
 * Describes an ACP agent. The description combines the agent's report about itself with the tested capabilities of its
 * program.
 */
import { basename } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { CAPABILITIES, CLIS, CLI_NAMES } from '../../harnesses/detect/clis.ts'
import type { CliName } from '../../harnesses/detect/clis.ts'
import type { AgentView } from './views.ts'
import type { AcpReport } from './views.ts'

/** The CLI that an ACP agent runs. Null means that the agent runs another program or does not use ACP. */
export const cliBehind = ({ harness, args: [named = ''] }: Pick<AgentView, 'harness' | 'args'>): CliName | null =>
  harness === 'acp' ? (CLI_NAMES.find((name) => name === basename(named)) ?? null) : null

/** Asks an ACP agent about itself. Returns null if the agent does not use ACP or is not installed. */
export async function checkAcpAgent(
  agent: AgentView,
  { env, forMs }: { readonly env: Environment; readonly forMs: number },
): Promise<AcpReport | null> {
  const { harness, program, args, env: passEnvironment } = agent
  if (harness !== 'acp' || program === null) return null
  const { askAgentInfo } = await import('../../harnesses/acp/ask-agent-info.ts')
  const answer = await askAgentInfo({ program, args: args.slice(1), env, passEnvironment, forMs })
  const cli = cliBehind(agent)
  const { version = null, capabilities = [] } = (cli === null ? undefined : CLIS[cli].provedByAcp) ?? {}
  return {
    ...('fault' in answer
      ? { name: null, version: null, fault: answer.fault, resumes: false }
      : { ...answer, fault: null }),
    provedWith: version,
    proved: capabilities,
    unproved: CAPABILITIES.filter((capability) => !capabilities.includes(capability)),
  }
}
