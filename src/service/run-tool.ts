import { BoardError } from '../core/errors.ts'
import { findProgram } from '../processes/find-program.ts'
import { runProgram } from '../processes/run-program.ts'
import type { ServiceHost } from './definition.ts'

const TIMEOUT_MS = 30_000
const PASSED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'TZ',
]

export interface ToolResult {
  readonly ok: boolean
  readonly output: string
  readonly error: string
}

/** Runs a tool of the operating system, such as `systemctl`. */
export async function runTool(host: ServiceHost, [program = '', ...args]: readonly string[]): Promise<ToolResult> {
  const found = findProgram(program, host.env['PATH'])
  if (found === null) return { ok: false, output: '', error: `${program} is not installed` }
  const { code, stdout, stderr } = await runProgram(found, args, {
    cwd: '/',
    env: toolEnvironment(host),
    timeoutMs: TIMEOUT_MS,
  })
  return { ok: code === 0, output: stdout.toString('utf8'), error: stderr.split('\n')[0] ?? '' }
}

export async function requireTool(host: ServiceHost, argv: readonly string[]): Promise<void> {
  const { ok, error } = await runTool(host, argv)
  if (!ok) throw new BoardError('store_io', `\`${argv.join(' ')}\` failed: ${error || 'unknown error'}.`)
}

/** The environment for tools. The variable XDG_RUNTIME_DIR is added, because it is missing after `su` and in cron. */
export const toolEnvironment = ({ env, uid }: ServiceHost): Readonly<Record<string, string>> => ({
  XDG_RUNTIME_DIR: `/run/user/${uid}`,
  ...Object.fromEntries(PASSED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
})
