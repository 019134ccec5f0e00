/** Checks each agent CLI on this machine. All tests are free: they use no tokens. */
import type { Environment } from '../../config/environment.ts'
import { findLogin } from '../../harnesses/detect/cli-login.ts'
import type { Login } from '../../harnesses/detect/cli-login.ts'
import { askVersion, testSandbox } from '../../harnesses/detect/cli-version.ts'
import { CAPABILITIES, CLIS } from '../../harnesses/detect/clis.ts'
import type { CliName } from '../../harnesses/detect/clis.ts'
import { findClis } from '../../harnesses/detect/find-clis.ts'
import type { FoundCli } from '../../harnesses/detect/find-clis.ts'
import type { AgentView } from './views.ts'
import type { CheckedCli } from './views.ts'
import { cliBehind } from './check-acp-agent.ts'

interface CliCheck {
  readonly env: Environment
  readonly agents: readonly AgentView[]
  /** The harnesses to check. Null means all harnesses. */
  readonly only: readonly (string | null)[] | null
  readonly forMs: number
}

/** Checks all CLIs at the same time, because each CLI may be slow. */
export const checkClis = (question: CliCheck): Promise<readonly CheckedCli[]> =>
  Promise.all(
    findClis(question.env)
      .filter(({ name }) => question.only === null || question.only.includes(name))
      .map((found) => checkCli(found, question)),
  )

async function checkCli({ name, program }: FoundCli, { env, agents, forMs }: CliCheck): Promise<CheckedCli> {
  const { title, proved, sandbox } = CLIS[name]
  const capabilities = proved?.capabilities ?? []
  const question = program === null ? null : { program, env, forMs }
  const [answer, sandboxed] = await Promise.all([
    question === null ? null : askVersion(question),
    question === null || sandbox === null ? null : testSandbox(question, sandbox),
  ])
  const logIn = findLogin(name, env)
  return {
    name,
    title,
    program,
    version: answer !== null && 'version' in answer ? answer.version : null,
    fault: answer !== null && 'fault' in answer ? answer.fault : null,
    logIn,
    provedWith: proved?.version ?? null,
    proved: capabilities,
    unproved: CAPABILITIES.filter((capability) => !capabilities.includes(capability)),
    sandbox:
      sandboxed === null
        ? null
        : 'holds' in sandboxed
          ? { holds: sandboxed.holds, fault: null }
          : { holds: null, ...sandboxed },
    notes: program === null ? [] : agentsWithoutKey(name, logIn, agents),
  }
}

/**
 * Notes about agents that do not get the API key of their CLI. The files of these agents do not list the variable under
 * `env`.
 */
function agentsWithoutKey(cli: CliName, { file, variables }: Login, agents: readonly AgentView[]): readonly string[] {
  if (file !== null || variables.length === 0) return []
  return agents
    .filter((agent) => agent.harness === cli || cliBehind(agent) === cli)
    .filter(({ env }) => !variables.some((variable) => env.includes(variable)))
    .map(({ name }) => `Agent ${name} cannot read ${variables.join(' or ')}. Name it under env in the agent file.`)
}
