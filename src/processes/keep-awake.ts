/**
 * Keeps the machine from going to sleep. A program of the operating system does this. The program ends together with
 * this process.
 */
import type { Environment } from '../config/environment.ts'
import { findProgram } from './find-program.ts'
import { startInteractive } from './spawn.ts'
import type { InteractiveProcess } from './spawn.ts'

export interface AwakeKeeper {
  /** Starts the program if `isNeeded` is true, and ends it otherwise. */
  update(isNeeded: boolean): Promise<void>
  stop(): void
}

export interface AwakeOptions {
  readonly platform: NodeJS.Platform
  readonly env: Environment
  /** Called at most once, if the machine cannot be kept awake. `why` is the cause. */
  readonly onFault: (why: string) => void
}

/**
 * These programs end with this process, even after `kill -9`: `caffeinate -w` watches its pid, and `cat` reaches the
 * end of its input.
 */
const COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['caffeinate', '-i', '-w', String(process.pid)],
  linux: ['systemd-inhibit', '--what=idle:sleep', '--who=Muster', '--why=Cards are running', '--mode=block', 'cat'],
}

export function keepAwake({ platform, env, onFault }: AwakeOptions): AwakeKeeper {
  let child: InteractiveProcess | null = null
  let hasFailed = false
  const fail = (why: string): void => {
    if (!hasFailed) onFault(why)
    hasFailed = true
  }
  const start = async (): Promise<void> => {
    const [name = '', ...args] = COMMANDS[platform] ?? []
    const program = name === '' ? null : findProgram(name, env['PATH'])
    if (program === null) return fail(name === '' ? `${platform} is not supported` : `${name} is not installed`)
    // The program gets its own group, because Ctrl-C during `--drain` must not end it.
    const started = await startInteractive({ program, args, cwd: '/', env }, { ownGroup: true })
    let fault = ''
    started.errors.setEncoding('utf8').on('data', (text: string) => (fault = `${fault}${text}`.slice(0, 500)))
    child = started
    void started.exited.then(({ code }) => {
      started.release()
      if (child !== started) return
      child = null
      fail(`${name} ended: ${fault.trim().split('\n')[0] || `exit code ${code}`}`)
    })
  }
  const end = (): void => {
    const ending = child
    child = null
    ending?.input.end()
    ending?.sendSignal('SIGTERM')
  }
  let isNeeded = false
  const apply = async (): Promise<void> => {
    if (isNeeded && child === null && !hasFailed) await start().catch((error: unknown) => fail(String(error)))
    // While the program started, `update` may have been called with false.
    if (!isNeeded) end()
  }
  // The calls of `update` run one after the other. Two calls at the same time would start two programs.
  let applying = Promise.resolve()
  return {
    update: (needed) => {
      isNeeded = needed
      applying = applying.then(apply)
      return applying
    },
    stop: () => {
      isNeeded = false
      end()
    },
  }
}
