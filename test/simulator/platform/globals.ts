/**
 * Replaces timers, clocks and `process` for simulated processes. Outside a simulation, such as while modules load, the
 * real ones are used.
 */
import { Kernel, running } from '../kernel.ts'
import type { SimProcess } from '../process.ts'

const real = globalThis

export interface Timer {
  readonly stop: () => void
  unref(): Timer
  ref(): Timer
}

const timer = (stop: () => void): Timer => ({
  stop,
  unref() {
    return this
  },
  ref() {
    return this
  },
})

type Callback = (...args: unknown[]) => void

/** Returns how late a timer fires, because timers fire late on a busy machine. */
const lateness = (): number => {
  const { random } = mustSimulate()
  return random.chance(0.02) ? random.duration(10, 2_000) : random.next()
}

function mustSimulate(): Kernel {
  if (Kernel.current === null) throw new Error('no simulation is running')
  return Kernel.current
}

/** Runs the callback of a timer. A process may end at this point, as at any await. */
function fire(process: SimProcess, callback: () => void): void {
  mustSimulate().observer?.onAwait(process, 'timer')
  if (process.isAlive) callback()
}

export function setTimeout(callback: Callback, ms = 0, ...args: unknown[]): Timer {
  const process = running()
  return timer(mustSimulate().push(process, 'timer', ms + lateness(), () => fire(process, () => callback(...args))))
}

export function setInterval(callback: Callback, ms = 0, ...args: unknown[]): Timer {
  const kernel = mustSimulate()
  const process = running()
  let stopped = false
  let stop = (): void => {}
  const arm = (): void => {
    stop = kernel.push(process, 'timer', ms + lateness(), () => {
      if (stopped) return
      arm()
      fire(process, () => callback(...args))
    })
  }
  arm()
  return timer(() => {
    stopped = true
    stop()
  })
}

export const setImmediate = (callback: Callback, ...args: unknown[]): Timer => setTimeout(callback, 0, ...args)
export const clearTimeout = (one: Timer | undefined): void => one?.stop()
export const clearInterval = (one: Timer | undefined): void => one?.stop()
export const clearImmediate = (one: Timer | undefined): void => one?.stop()

const here = () => Kernel.current?.current ?? null

export const performance = {
  now: (): number => here()?.machine.running() ?? real.performance.now(),
}

class SimDate extends real.Date {
  constructor(...given: [] | [number | string]) {
    if (given.length === 0) super(SimDate.now())
    else super(...given)
  }

  static override now(): number {
    return here()?.machine.wall() ?? real.Date.now()
  }
}
export { SimDate as Date }

export const simulatedRandom = (): number => Kernel.current?.random.next() ?? real.Math.random()

const own = {
  get pid(): number {
    return here()?.pid ?? real.process.pid
  },
  get env(): Readonly<Record<string, string | undefined>> {
    return here()?.env ?? {}
  },
  platform: 'linux',
  execPath: '/usr/bin/node',
  hrtime: (): [number, number] => {
    const ms = performance.now()
    return [Math.floor(ms / 1000), (ms % 1000) * 1e6]
  },
  on: (signal: NodeJS.Signals, handle: () => void): void => {
    const { handlers } = running()
    handlers.set(signal, (handlers.get(signal) ?? new Set()).add(handle))
  },
  off: (signal: NodeJS.Signals, handle: () => void): void => void running().handlers.get(signal)?.delete(handle),
  stderr: { write: (line: string): void => Kernel.current?.trace?.(`stderr: ${line.trim()}`) },
  exitCode: undefined,
}

/** The process object. Properties that are not simulated, such as the version of Node, come from the real process. */
export const process: typeof globalThis.process = new Proxy(real.process, {
  get: (whole, key): unknown => (key in own ? Reflect.get(own, key) : Reflect.get(whole, key)),
  set: () => true,
})
