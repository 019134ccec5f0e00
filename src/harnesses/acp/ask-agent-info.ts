/** Asks an ACP agent for its name, and whether it can resume a session. The request costs no tokens. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../config/environment.ts'
import { redirectFolders } from '../detect/cli-version.ts'
import { allowedEnvironment } from '../../processes/environment.ts'
import { startInteractive } from '../../processes/spawn.ts'
import type { InteractiveProcess } from '../../processes/spawn.ts'
import { asObject, asText } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { agentStream } from './agent-stream.ts'

export type AgentInfo =
  { readonly name: string; readonly version: string | null; readonly resumes: boolean } | { readonly fault: string }

interface AgentInfoQuestion {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Environment
  readonly passEnvironment: readonly string[]
  readonly forMs: number
}

const END_MS = 500

/** Starts the agent in temporary folders, because some agents write files at once. */
export async function askAgentInfo({
  program,
  args,
  env,
  passEnvironment,
  forMs,
}: AgentInfoQuestion): Promise<AgentInfo> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-acp-'))
  const own = { ...allowedEnvironment(env, passEnvironment), ...redirectFolders(folder) }
  try {
    const agent = await startInteractive({ program, args, cwd: folder, env: own }, { ownGroup: true })
    try {
      const late = sleep(forMs, { fault: `it did not answer as an ACP agent within ${forMs / 1000} s` }, { ref: false })
      return await Promise.race([ask(agent), late])
    } finally {
      agent.input.end()
      await Promise.race([agent.exited, sleep(END_MS, undefined, { ref: false })])
      agent.sendSignal('SIGKILL')
      agent.release()
    }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function ask(agent: InteractiveProcess): Promise<AgentInfo> {
  const printed: string[] = []
  const onText = (text: string): void => {
    const line = text.trim().split('\n')[0]?.slice(0, 200) ?? ''
    if (line !== '' && printed.length === 0) printed.push(line)
  }
  agent.errors.on('data', (bytes: Buffer) => onText(bytes.toString('utf8')))
  const allPrinted = new Promise((resolve) => agent.errors.once('close', resolve))
  const { readable, writable } = agentStream(agent, { onUpdate: () => {}, onText })
  const params = { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: 'muster', version: '0' } }
  // Failed writes are ignored. If the agent has exited, its output shows the reason.
  writable
    .getWriter()
    .write({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    .catch(() => {})
  for await (const message of readable) {
    const { id, method, result, error } = message as Fields
    if (id !== 0) continue
    if (method === 'initialize') return { fault: 'it only echoes its input' }
    if (error !== undefined) return { fault: asText(asObject(error)?.['message']) ?? 'it refused the request' }
    if (result !== undefined) return agentInfoIn(asObject(result) ?? {})
  }
  await Promise.race([allPrinted, sleep(END_MS, undefined, { ref: false })])
  return { fault: ['it ended without an answer', ...printed].join(': ') }
}

function agentInfoIn({ agentInfo, agentCapabilities }: Fields): AgentInfo {
  const { name, title, version } = asObject(agentInfo) ?? {}
  const { loadSession, sessionCapabilities } = asObject(agentCapabilities) ?? {}
  return {
    name: asText(title) ?? asText(name) ?? 'an unnamed agent',
    version: asText(version),
    resumes: loadSession === true || asObject(sessionCapabilities)?.['resume'] != null,
  }
}
