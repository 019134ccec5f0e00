/**
 * The scheduler of a simulation. Each step resumes one process at an await and lets it run to its next await, while
 * everything else waits. The seed decides which process comes next and how long everything takes. So every order of
 * steps is possible, and every order can be repeated.
 */
import { Random } from '../helpers/random.ts'
import type { JudgeAnswer } from '../../src/core/vocabulary.ts'
import type { Store } from '../../src/storage/store.ts'
import type { ProcessExit, StartRequest } from '../../src/processes/spawn.ts'
import type { SimProcess } from './process.ts'

/** A step that waits for its time. `process` is null for the server of the store, which never ends. */
interface Waiting {
  readonly process: SimProcess | null
  readonly label: string
  /** The time at which the step is due: the monotonic time of the process's machine, or true time for the server. */
  readonly due: number
  readonly act: () => unknown
}

export interface Observer {
  /**
   * Called at each await. The observer may end the process at this point, before or after the effect of the awaited
   * call.
   */
  onAwait(process: SimProcess, label: string): void
  /** Returns the number of times that a wake-up reaches its watcher: 0, 1 or 2. */
  deliveries(): number
  onSignal(process: SimProcess, signal: NodeJS.Signals, by: SimProcess | null): void
  onDeath(process: SimProcess): void
}

/** Answers calls of a process that leave its machine. */
export interface System {
  /** Returns a connection of a process to the store. */
  connect(process: SimProcess): Store
  /** Starts a process for a program. Throws the same errors as a real system. */
  launch(parent: SimProcess, request: Omit<StartRequest, 'log'>): SimProcess
  /** The answer of the judge about the card of a supervisor. */
  judge(supervisor: SimProcess): JudgeAnswer
}

const SIGNAL_NUMBERS: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

export class Kernel {
  /** The true time, which no simulated process can read. */
  now: number
  readonly random: Random
  current: SimProcess | null = null
  steps = 0
  observer: Observer | null = null
  system: System | null = null
  trace: ((line: string) => void) | null = null
  readonly #waiting = new Set<Waiting>()
  /** Actions from outside all processes, each at a true time. */
  readonly #plans = new Set<{ readonly at: number; readonly act: () => void }>()

  constructor(seed: number, start: number) {
    this.random = new Random(seed)
    this.now = start
  }

  /** A random delay, mostly short and sometimes long. */
  latency(): number {
    return this.random.chance(0.03) ? this.random.duration(20, 1500) : this.random.next() * 2
  }

  push(process: SimProcess | null, label: string, afterMs: number, act: () => unknown): () => void {
    const clock = process === null ? this.now : process.machine.running()
    const waiting = { process, label, due: clock + Math.max(0, afterMs), act }
    this.#waiting.add(waiting)
    return () => void this.#waiting.delete(waiting)
  }

  /** Runs an action after some true time, independent of all processes. */
  plan(afterMs: number, act: () => void): void {
    this.#plans.add({ at: this.now + afterMs, act })
  }

  /**
   * Simulates a system call of the running process. The call takes some time, has its effect, and returns at once or
   * after some more time. The process may end before the call, at its effect, or at its return.
   */
  call<T>(label: string, effect: () => T | Promise<T>): Promise<T> {
    const process = this.#mustRun()
    return new Promise((resolve, reject) => {
      this.push(process, label, this.latency(), async () => {
        this.observer?.onAwait(process, label)
        if (!process.isAlive) return
        let answer: () => void
        try {
          const value = await effect()
          answer = () => resolve(value)
        } catch (error) {
          answer = () => reject(error)
        }
        this.answer(process, `${label} answered`, answer)
      })
    })
  }

  answer(process: SimProcess, label: string, answer: () => void): void {
    this.observer?.onAwait(process, label)
    if (!process.isAlive) return
    if (this.random.chance(0.7)) answer()
    else this.push(process, label, this.latency(), answer)
  }

  #mustRun(): SimProcess {
    if (this.current === null) throw new Error('no simulated process is running')
    return this.current
  }

  /** The current simulation. This is null outside a simulation. */
  static current: Kernel | null = null

  /** Runs one step. Returns false when no step is left. */
  async step(): Promise<boolean> {
    const next = this.#choose()
    if (next === null) return false
    this.steps += 1
    if (typeof next === 'function') {
      this.current = null
      next()
    } else {
      this.#waiting.delete(next)
      this.current = next.process
      this.trace?.(`${this.now.toFixed(1)} ${next.process?.name ?? 'store'} ${next.label}`)
      await next.act()
    }
    // Waits for one turn of the real event loop. By then, every promise that the step started has reached its next
    // await.
    await new Promise((resolve) => globalThis.setImmediate(resolve))
    this.current = null
    return true
  }

  #choose(): Waiting | (() => void) | null {
    for (;;) {
      const due = this.#due()
      const chosen = this.random.pick(due)
      if (chosen !== undefined) return chosen
      const at = this.#nextMoment()
      if (at === null) return null
      this.now = Math.max(this.now, at)
      for (const plan of this.#plans)
        if (plan.at <= this.now) {
          this.#plans.delete(plan)
          return plan.act
        }
    }
  }

  #due(): readonly Waiting[] {
    const due: Waiting[] = []
    for (const waiting of this.#waiting) if (this.#msUntil(waiting) <= 0) due.push(waiting)
    return due
  }

  /** Returns the time until a step is due, which is infinite while the process is stopped or its machine sleeps. */
  #msUntil({ process, due }: Waiting): number {
    if (process === null) return due - this.now
    if (process.stopped || process.machine.asleep) return Infinity
    return due - process.machine.running()
  }

  #nextMoment(): number | null {
    let next = Infinity
    for (const waiting of this.#waiting) next = Math.min(next, this.now + this.#msUntil(waiting))
    for (const { at } of this.#plans) next = Math.min(next, at)
    return Number.isFinite(next) ? next : null
  }

  /** Starts the main function of a process. When the function returns, the process ends. */
  start(process: SimProcess, main: () => Promise<number>): void {
    this.push(process, 'begin', this.latency(), () => {
      main().then(
        (code) => this.#finish(process, { code, signal: null }),
        (error: unknown) => {
          this.trace?.(
            `${process.name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
          )
          this.#finish(process, { code: 1, signal: null })
        },
      )
    })
  }

  #finish(process: SimProcess, exit: ProcessExit): void {
    if (process.isAlive) this.end(process, exit)
  }

  /** Ends a process and removes its waiting steps. */
  end(process: SimProcess, exit: ProcessExit): void {
    this.trace?.(`${this.now.toFixed(1)} ${process.name} ends: ${exit.code ?? exit.signal}`)
    this.forget(process)
    process.machine.removeEnded(process, exit)
    this.observer?.onDeath(process)
  }

  forget(process: SimProcess): void {
    for (const waiting of this.#waiting) if (waiting.process === process) this.#waiting.delete(waiting)
  }

  /** Delivers a signal. The sender is the running process. If no process runs, the signal comes from outside. */
  deliver(process: SimProcess, signal: NodeJS.Signals): void {
    this.trace?.(`${this.now.toFixed(1)} ${process.name} gets ${signal} from ${this.current?.name ?? 'outside'}`)
    this.observer?.onSignal(process, signal, this.current)
    if (signal === 'SIGCONT') process.stopped = false
    else if (signal === 'SIGSTOP') process.stopped = true
    else if (signal === 'SIGKILL') this.#kill(process)
    else {
      const handlers = process.handlers.get(signal)
      if (handlers === undefined || handlers.size === 0)
        this.push(process, signal, this.latency(), () => this.#die(process, signal))
      else for (const handle of handlers) this.push(process, signal, this.latency(), handle)
    }
  }

  #kill(process: SimProcess): void {
    const heldMs = process.unkillableUntil - process.machine.running()
    if (heldMs > 0) this.plan(heldMs, () => process.isAlive && this.#die(process, 'SIGKILL'))
    else this.#die(process, 'SIGKILL')
  }

  #die(process: SimProcess, signal: NodeJS.Signals): void {
    if (process.isAlive) this.end(process, { code: null, signal })
  }

  /** Lets a process wait until another process has ended. */
  awaitEnd(waiter: SimProcess, ended: SimProcess): Promise<ProcessExit> {
    return new Promise((resolve) => {
      const tell = (exit: ProcessExit): void => {
        if (!waiter.isAlive) return
        this.push(waiter, `end of ${ended.role}`, this.latency(), () => {
          ended.machine.collect(ended)
          resolve(exit)
        })
      }
      if (ended.exit === null) ended.onEnd.push(tell)
      else tell(ended.exit)
    })
  }
}

export const signalNumber = (signal: NodeJS.Signals | null): number =>
  signal === null ? 0 : (SIGNAL_NUMBERS[signal] ?? 1)

export function kernel(): Kernel {
  if (Kernel.current === null) throw new Error('no simulation is running')
  return Kernel.current
}

export function running(): SimProcess {
  const process = Kernel.current?.current ?? null
  if (process === null) throw new Error('this runs outside every simulated process')
  return process
}

export function system(): System {
  const { system: behind } = kernel()
  if (behind === null) throw new Error('this simulation has no system')
  return behind
}
