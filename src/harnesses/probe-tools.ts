/** Tests the board's tools on this machine: starts the tools as an agent would, but without a run. */
import { tmpdir } from 'node:os'
import type { Environment } from '../config/environment.ts'
import { runProgram } from '../processes/run-program.ts'
import { asList, asObject, objectIn } from '../util/json-fields.ts'
import { allowedEnvironment } from '../processes/environment.ts'

export type ToolsProbe =
  { readonly count: number; readonly fault: null } | { readonly count: null; readonly fault: string }

const LIST_ID = 2

const REQUESTS = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'muster', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: LIST_ID, method: 'tools/list' },
].map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`)

/** The values of a run that does not exist. They are not used when the tools are listed. */
const NO_RUN: Environment = { MUSTER_RUN: 'none', MUSTER_SOCKET: '/dev/null', MUSTER_NONCE: 'none' }

export async function probeTools(
  [program = '', ...args]: readonly string[],
  { env, forMs }: { readonly env: Environment; readonly forMs: number },
): Promise<ToolsProbe> {
  const ran = await runProgram(program, [...args, 'worker'], {
    cwd: tmpdir(),
    env: { ...allowedEnvironment(env), ...NO_RUN },
    stdin: REQUESTS.join(''),
    timeoutMs: forMs,
    wholeGroup: true,
  })
  const answers = ran.stdout.toString('utf8').split('\n').map(objectIn)
  const listed = asObject(answers.find((answer) => answer?.['id'] === LIST_ID)?.['result'])
  if (listed !== null) return { count: asList(listed['tools']).length, fault: null }
  return { count: null, fault: ran.stderr.split('\n')[0] || 'no answer' }
}
