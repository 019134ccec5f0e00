/** The composition root of the CLI. */
import { fstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Descriptor } from '../cli/descriptor.ts'
import { main } from '../cli/main.ts'
import { terminalOf } from '../cli/terminal.ts'
import { clockShiftMs } from '../config/system.ts'
import { useHelperIn } from '../file-helper/use-helper-in.ts'
import packageFile from '../../package.json' with { type: 'json' }

export async function run(argv: readonly string[], folder: string): Promise<void> {
  useHelperIn(folder)
  const stdout = new Descriptor(1, () => process.stdout)
  process.exitCode = await main({
    argv,
    env: process.env,
    version: packageFile.version,
    stdout,
    stderr: new Descriptor(2, () => process.stderr),
    terminal: isTerminal() ? terminalOf(process.stdout, { colors: !process.env['NO_COLOR'] }) : null,
    endsAfter: true,
    now: () => Date.now() + clockShiftMs(),
    commandLine: [process.execPath, join(folder, 'bin.js')],
    storeThread: join(folder, 'store-thread.js'),
    readStdin: () => buffer(process.stdin),
    confirm: async (question) => (await import('../cli/confirm.ts')).confirm(question),
    serveTools: async (board) => {
      const [{ serveTools }, { stdioClient }] = await Promise.all([
        import('../mcp/serve-tools.ts'),
        import('../mcp/stdio.ts'),
      ])
      await serveTools(board, stdioClient(packageFile.version))
    },
    dispatcher: async () => {
      const { makeDispatchPort } = await import('../dispatcher/port.ts')
      return makeDispatchPort({ env: process.env, supervisorPath: join(folder, 'supervisor.js') })
    },
    checker: async () => {
      const { makeCheckPort } = await import('../supervisor/checks/port.ts')
      return makeCheckPort({ env: process.env, supervisorPath: join(folder, 'supervisor.js') })
    },
    onInterrupt: (callback) => {
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
      for (const signal of signals) process.once(signal, callback)
      return () => {
        for (const signal of signals) process.off(signal, callback)
      }
    },
    onOutputClosed: (callback) => stdout.onClosed(callback),
  })
}

/** Checks the device first, because `process.stdout.isTTY` loads the stream, which takes 2 ms. */
function isTerminal(): boolean {
  const stat = fstatSync(1)
  return stat.isCharacterDevice() && stat.rdev !== statSync('/dev/null').rdev && process.stdout.isTTY
}
