/** The entry of the CLI. It connects all parts of the CLI. */
import { fstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { Descriptor } from '../cli/output/descriptor.ts'
import { main } from '../cli/main.ts'
import type { World } from '../cli/world.ts'
import { requestedTerminal, terminalOf, wantsColor } from '../cli/output/terminal.ts'
import { clockShiftMs } from '../config/system.ts'
import { useHelperIn } from '../file-helper/use-helper-in.ts'
import { readLimited } from '../util/read-limited.ts'
import packageFile from '../../package.json' with { type: 'json' }

interface Program {
  /** The folder of the built program. */
  readonly folder: string
  readonly holdCode: () => void
}

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** The events after which the error of a crash is printed. */
const EXITS = ['uncaughtExceptionMonitor', 'exit'] as const

function forget(events: readonly string[], callback: () => void): void {
  for (const event of events) process.off(event, callback)
}

export async function runCommandLine(argv: readonly string[], { folder, holdCode }: Program): Promise<void> {
  useHelperIn(folder)
  const stdout = new Descriptor(1, () => process.stdout)
  process.exitCode = await main({
    argv,
    env: process.env,
    version: packageFile.version,
    stdout,
    stderr: new Descriptor(2, () => process.stderr),
    terminal: isTerminal(1)
      ? terminalOf(process.stdout, { colors: wantsColor(process.env, { isTerminal: true }) })
      : requestedTerminal(process.env),
    errorTerminal: () => {
      const colors = wantsColor(process.env, { isTerminal: isTerminal(2) })
      if (isTerminal(2)) return terminalOf(process.stderr, { colors })
      return colors ? { columns: Infinity, rows: Infinity, colors } : null
    },
    endsAfter: true,
    holdCode,
    now: () => Date.now() + clockShiftMs(),
    commandLine: [process.execPath, join(folder, 'bin.js')],
    storeThread: join(folder, 'store-thread.js'),
    readStdin: () => readLimited(process.stdin, 'Standard input'),
    keyboard: async () => (isatty(0) ? (await import('../cli/output/keyboard.ts')).keyboardOf(process.stdin) : null),
    confirm: async (question) => (await import('../cli/confirm.ts')).confirm(question),
    ...portsOf(folder),
    onInterrupt: (callback) => {
      for (const signal of INTERRUPTS) process.once(signal, callback)
      return () => forget(INTERRUPTS, callback)
    },
    onExit: (callback) => {
      for (const event of EXITS) process.on(event, callback)
      return () => forget(EXITS, callback)
    },
    quit: () => process.exit(130),
    onOutputClosed: (callback) => stdout.onClosed(callback),
  })
}

/** The parts of the CLI that only some commands load. */
const portsOf = (folder: string): Pick<World, 'serveTools' | 'dispatcher' | 'checker' | 'server' | 'tools'> => ({
  serveTools: async (board) => {
    const [{ serveTools }, { stdioClient }] = await Promise.all([
      import('../mcp/serve-tools.ts'),
      import('../mcp/stdio.ts'),
    ])
    await serveTools(board, stdioClient(packageFile.version))
  },
  dispatcher: async () => {
    const { makeDispatchPort } = await import('../dispatcher/port.ts')
    return makeDispatchPort({ env: process.env, supervisorPath: join(folder, 'supervisor.js'), onCopy: useHelperIn })
  },
  checker: async () => {
    const { makeCheckPort } = await import('../supervisor/checks/port.ts')
    return makeCheckPort({ env: process.env, supervisorPath: join(folder, 'supervisor.js') })
  },
  server: async () => (await import('../http/port.ts')).makeServerPort(join(folder, 'web')),
  tools: async () => (await import('../mcp/tools-port.ts')).makeToolsPort(packageFile.version),
})

/**
 * Whether the output goes to a terminal. The device is checked first, because reading `isTTY` loads the stream, which
 * takes 2 ms.
 */
function isTerminal(descriptor: 1 | 2): boolean {
  const stat = fstatSync(descriptor)
  if (!stat.isCharacterDevice() || stat.rdev === statSync('/dev/null').rdev) return false
  return descriptor === 1 ? process.stdout.isTTY : process.stderr.isTTY
}
