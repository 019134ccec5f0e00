/**
 * Runs the file helper as a separate process. The first call starts the helper. The helper ends when it was idle for a
 * while, crashed or took too long, and the next call starts another helper. An idle helper does not keep this process
 * alive.
 */
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { ownEnvironment } from '../config/environment.ts'
import { BoardError } from '../core/errors.ts'
import { unpackError } from '../util/packed-error.ts'
import type { CallOptions, FileTask, RunFileTask } from './call-file-helper.ts'
import { lineSplitter } from './protocol.ts'
import type { Reply, HelperRequest } from './protocol.ts'

const IDLE_MS = 1_000
/**
 * The timeout of a task. This is longer than any task takes on a working disk. Without a timeout, a file system that
 * does not respond would block the caller forever.
 */
const TASK_MS = 30 * 60_000
/**
 * Node flags of the helper. Its small heap needs no threads for garbage collection. Supervisors start with the same
 * flags.
 */
const FLAGS = ['--single-threaded-gc', '--v8-pool-size=1']
/** The variables that change or slow down the start of Node. The helper does not need them. */
const UNWANTED = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS']
const LAST_OUTPUT = 2_000

/** The tasks that only read files. If the helper dies, such a task is run once more. */
const REPEATABLE: ReadonlySet<FileTask> = new Set<FileTask>([
  'hashContent',
  'probeFile',
  'probeJson',
  'readAttachmentPiece',
  'readLogPiece',
  'readResult',
  'verifyFiles',
])

interface Timing {
  readonly idleMs?: number
  readonly taskMs?: number
}

/** Starts the helper. `program` is the path of the built helper. */
export function startFileHelper(program: string, timing: Timing = {}): RunFileTask {
  const helper = new HelperProcess(program, timing)
  return async (name, input, options) => {
    try {
      return await helper.run(name, input, options)
    } catch (error) {
      if (!(error instanceof HelperDeath) || !REPEATABLE.has(name)) throw error
      options.signal?.throwIfAborted()
      return helper.run(name, input, options)
    }
  }
}

class HelperDeath extends BoardError {
  constructor(task: string, why: string, cause?: Error) {
    super('store_io', `The file helper stopped (${why}) before the task ${task} was done. Try again.`, { cause })
  }
}

interface Pending {
  readonly task: string
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly onProgress: ((progress: unknown) => void) | undefined
}

class HelperProcess {
  readonly #program: string
  readonly #idleMs: number
  readonly #taskMs: number
  readonly #pending = new Map<number, Pending>()
  #child: ChildProcessWithoutNullStreams | null = null
  #lastId = 0
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(program: string, { idleMs = IDLE_MS, taskMs = TASK_MS }: Timing) {
    this.#program = program
    this.#idleMs = idleMs
    this.#taskMs = taskMs
  }

  run(task: FileTask, input: unknown, { signal, onProgress }: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error)
      const child = this.#ready()
      const id = ++this.#lastId
      const timer = setTimeout(() => this.#giveUp(child, task), this.#taskMs)
      const cancel = (): void => {
        this.#send(child, { id, cancel: true })
        this.#settle(id)?.reject(signal?.reason)
      }
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
      }
      signal?.addEventListener('abort', cancel, { once: true })
      this.#pending.set(id, {
        task,
        onProgress,
        resolve: (value) => (done(), resolve(value)),
        reject: (error) => (done(), reject(error)),
      })
      this.#send(child, { id, task, input })
    })
  }

  #ready(): ChildProcessWithoutNullStreams {
    clearTimeout(this.#idle)
    this.#child ??= this.#start()
    keepAlive(this.#child, true)
    return this.#child
  }

  #start(): ChildProcessWithoutNullStreams {
    const env = Object.fromEntries(Object.entries(ownEnvironment()).filter(([name]) => !UNWANTED.includes(name)))
    const child = spawn(process.execPath, [...FLAGS, this.#program], { env, stdio: ['pipe', 'pipe', 'pipe'] })
    let printed = ''
    child.stdin.on('error', () => {}) // Errors of the input are ignored, because the exit of the child is reported.
    child.stdout.setEncoding('utf8').on(
      'data',
      lineSplitter((line) => this.#receive(JSON.parse(line) as Reply)),
    )
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (printed = (printed + piece).slice(-LAST_OUTPUT)))
    child.once('error', (error) => this.#lose(child, error.message, error))
    child.once('close', (code, signal) => this.#lose(child, signal ?? (lastLine(printed) || `exit code ${code}`)))
    return child
  }

  #send(child: ChildProcessWithoutNullStreams, request: HelperRequest): void {
    if (child.stdin.writable) child.stdin.write(`${JSON.stringify(request)}\n`)
  }

  #receive(reply: Reply): void {
    if ('progress' in reply) return this.#pending.get(reply.id)?.onProgress?.(reply.progress)
    const pending = this.#settle(reply.id)
    if ('error' in reply) pending?.reject(unpackError(reply.error))
    else pending?.resolve(reply.value)
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (this.#pending.size === 0 && this.#child !== null) this.#startIdling(this.#child)
    return pending
  }

  #startIdling(child: ChildProcessWithoutNullStreams): void {
    keepAlive(child, false)
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#end(child), this.#idleMs)
    this.#idle.unref()
  }

  #end(child: ChildProcessWithoutNullStreams): void {
    if (this.#child === child) this.#child = null
    child.stdin.end()
  }

  #giveUp(child: ChildProcessWithoutNullStreams, task: string): void {
    child.kill('SIGKILL')
    this.#lose(child, `no answer to ${task} for ${Math.round(this.#taskMs / 60_000)} min`)
  }

  /**
   * Fails every pending call of a helper. If the helper was asked to end, it is no longer `#child` and has no pending
   * calls.
   */
  #lose(child: ChildProcessWithoutNullStreams, why: string, cause?: Error): void {
    if (this.#child !== child) return
    this.#child = null
    clearTimeout(this.#idle)
    const waiting = [...this.#pending.values()]
    this.#pending.clear()
    for (const { task, reject } of waiting) reject(new HelperDeath(task, why, cause))
  }
}

/**
 * Sets whether a child keeps this process alive. Node stays alive for each child and each of its pipes. An idle helper
 * must not have this effect.
 */
function keepAlive(child: ChildProcessWithoutNullStreams, isNeeded: boolean): void {
  for (const part of [child, child.stdin, child.stdout, child.stderr]) {
    // The pipes of a child are sockets, but their declared type has no `ref` and `unref`.
    const kept = part as { ref?(): unknown; unref?(): unknown }
    if (isNeeded) kept.ref?.()
    else kept.unref?.()
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
