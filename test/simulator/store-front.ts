/** The connection of a process to the store, with faults: a network that fails, a busy file, a full disk. */
import type { Command, DecisionOutcome } from '../../src/core/command.ts'
import { BoardError } from '../../src/core/errors.ts'
import type { Run } from '../../src/core/run.ts'
import type { Store } from '../../src/storage/store.ts'
import type { Faults } from './faults.ts'
import type { Kernel } from './kernel.ts'
import type { Database, MemoryStore } from './memory-store.ts'
import type { SimMachine } from './machine.ts'
import type { SimProcess } from './process.ts'

/** The faults between a process and the store. */
type StoreFaults = Pick<Faults, 'deliveries' | 'isBusy' | 'losesAnswer'>

export interface CommandObserver {
  /** Called when a command of a process was carried out or refused. */
  onCommand(process: SimProcess, command: Command, outcome: DecisionOutcome<unknown>): void
  /** Called when a process has received the row of a run. */
  onRunRead(process: SimProcess, run: Run | null): void
}

interface Watcher {
  readonly process: SimProcess
  readonly onChange: () => void
}

/** The longest time until a client reports a timeout. */
const TIMEOUT_MS = 15_000
/** The time after which a watcher reads the store again if its wake-up was lost. */
const RECHECK_MS = 1_000
const WRITES = new Set(['decide', 'renewLease', 'checkAfterBoot'])

export class StoreFront {
  readonly #memory: MemoryStore
  readonly #kernel: Kernel
  readonly #faults: StoreFaults
  readonly #shared: boolean
  readonly #observer: CommandObserver
  readonly #watchers = new Set<Watcher>()

  constructor(
    memory: MemoryStore,
    {
      kernel,
      faults,
      shared,
      observer,
    }: { kernel: Kernel; faults: StoreFaults; shared: boolean; observer: CommandObserver },
  ) {
    this.#memory = memory
    this.#kernel = kernel
    this.#faults = faults
    this.#shared = shared
    this.#observer = observer
  }

  /** Connects a process that keeps the current store file open, even after another file has replaced it. */
  connect(process: SimProcess): Store {
    const { current } = this.#memory
    return this.#connect(process, () => current)
  }

  /** Connects a process that opens the store again for every command. */
  connectPerCommand(process: SimProcess): Store {
    return this.#connect(process, () => this.#memory.current)
  }

  #connect(process: SimProcess, database: () => Database): Store {
    const own: Partial<Store> = {
      engine: this.#shared ? 'postgres' : 'sqlite',
      watch: async (onChange) => this.#watch(process, onChange),
      nudge: () => this.#ask(process, 'nudge', async () => this.ring(null)),
      close: async () => {},
    }
    return new Proxy(database().store, {
      get: (store, key): unknown => {
        if (Object.hasOwn(own, key)) return Reflect.get(own, key)
        const member: unknown = Reflect.get(store, key, store)
        if (typeof member !== 'function') return member
        const ask = (...args: unknown[]): Promise<unknown> =>
          this.#ask(process, labelOf(String(key), args), () => this.#carryOut(process, database(), String(key), args))
        if (key !== 'run') return ask
        return async (...args: unknown[]) => {
          const run = await ask(...args)
          this.#observer.onRunRead(process, run as Run | null)
          return run
        }
      },
    })
  }

  async #carryOut(process: SimProcess, database: Database, method: string, args: unknown[]): Promise<unknown> {
    const { store } = database
    const work = Reflect.get(store, method, store) as (...given: unknown[]) => Promise<unknown>
    const before = database.lastEvent()
    const answer = await work.apply(store, args)
    if (method === 'decide' && database === this.#memory.current) {
      this.#observer.onCommand(process, args[0] as Command, answer as DecisionOutcome<unknown>)
      if (database.lastEvent() > before) this.ring(null)
    }
    return answer
  }

  #watch(process: SimProcess, onChange: () => void): { stop(): Promise<void> } {
    const watcher = { process, onChange }
    this.#watchers.add(watcher)
    return { stop: async () => void this.#watchers.delete(watcher) }
  }

  /** Wakes the watchers of one machine. If the machine is null, wakes the watchers of all machines. */
  ring(machine: SimMachine | null): void {
    for (const watcher of this.#watchers) {
      const { process, onChange } = watcher
      if (!process.isAlive) this.#watchers.delete(watcher)
      if (!process.isAlive || process.machine.cutOff || (machine !== null && process.machine !== machine)) continue
      const heard = this.#faults.deliveries()
      if (heard === 0) this.#kernel.push(process, 'net', RECHECK_MS, onChange)
      for (let left = heard; left > 0; left -= 1) this.#kernel.push(process, 'bell', this.#kernel.latency(), onChange)
    }
  }

  #ask<T>(process: SimProcess, label: string, work: () => Promise<T>): Promise<T> {
    return this.#shared
      ? this.#overNetwork(process, label, work)
      : this.#kernel.call(label, () => this.#inFile(process, label, work))
  }

  async #inFile<T>(process: SimProcess, label: string, work: () => Promise<T>): Promise<T> {
    if (this.#faults.isBusy()) throw new BoardError('store_busy', 'The store is busy.')
    if (process.machine.disk.full && WRITES.has(label.split(' ')[0] ?? ''))
      throw new BoardError('disk_full', 'The disk that holds the store is full.')
    const answer = await work()
    // The commit succeeded, but the caller gets an error.
    if (this.#faults.losesAnswer()) throw new BoardError('store_busy', 'The store could not be asked again.')
    return answer
  }

  #overNetwork<T>(process: SimProcess, label: string, work: () => Promise<T>): Promise<T> {
    const kernel = this.#kernel
    const unreachable = new BoardError('store_unreachable', 'The store cannot be reached.')
    return new Promise((resolve, reject) => {
      kernel.observer?.onAwait(process, label)
      if (!process.isAlive) return
      const tell = (afterMs: number, answer: () => void): void =>
        void kernel.push(process, `${label} answered`, afterMs, () =>
          kernel.answer(process, `${label} answered`, answer),
        )
      const giveUp = (): void => tell(kernel.random.duration(50, TIMEOUT_MS), () => reject(unreachable))
      if (process.machine.cutOff) return giveUp()
      kernel.push(null, label, kernel.latency(), async () => {
        // If the sender is cut off after it has sent the request, the seed decides whether the request arrives.
        if (process.machine.cutOff && kernel.random.chance(0.5)) return giveUp()
        let answer: () => void
        try {
          const value = await work()
          answer = () => resolve(value)
        } catch (error) {
          answer = () => reject(error)
        }
        if (!process.isAlive) return
        if (process.machine.cutOff || this.#faults.losesAnswer()) giveUp()
        else tell(kernel.latency(), answer)
      })
    })
  }
}

const labelOf = (method: string, args: readonly unknown[]): string =>
  method === 'decide' ? `decide ${(args[0] as Command).verb}` : method
