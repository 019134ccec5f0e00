/** Kills and stops processes at random, and wakes the stopped processes some time later. */
import { setTimeout as sleep } from 'node:timers/promises'
import { census, signal } from './census.ts'
import { SIGNALS, SHUTDOWN, SHUTDOWN_SIGNALS, SIGNAL_KINDS, TARGETS, count } from './chaos-board.ts'
import type { Actor, SignalName, ChaosBoard, SignalKind, Target } from './chaos-board.ts'

/**
 * The shortest time for which a process stays stopped. The longest stops last longer than the leases of runs and
 * dispatchers.
 */
const SHORTEST_STOP_MS = 50
const LONGEST_STOP_MS = 9_000
const AHEAD = 2

interface SingleSignal {
  readonly name: SignalName
  readonly target: Target
}

const SINGLE_SIGNALS = new Map<SignalKind, SingleSignal>(
  SIGNALS.flatMap((name) => TARGETS.map((target) => [`${name} ${target}`, { name, target }] as const)),
)

/** The target of each kind of signal. The target of a shutdown is the supervisor of a run. */
const targetOf = (kind: SignalKind): Target => SINGLE_SIGNALS.get(kind)?.target ?? 'supervisor'

export class SignalSender {
  readonly #chaosBoard: ChaosBoard
  readonly #stopped = new Map<string, { actor: Actor; timer: NodeJS.Timeout }>()

  constructor(chaosBoard: ChaosBoard) {
    this.#chaosBoard = chaosBoard
  }

  /** Sends a signal about every `everyMs` milliseconds until aborted. */
  async sendRandomly(everyMs: number, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await sleep(this.#chaosBoard.random.between(everyMs / 2, everyMs * 1.5), undefined, { signal: until }).catch(
        () => {},
      )
      if (!until.aborted) this.#sendOne()
    }
  }

  /**
   * Sends a signal of the kind that was sent least. Otherwise most signals would go to dispatchers, which always run.
   */
  #sendOne(): void {
    const { random, injected } = this.#chaosBoard
    const done = (kind: SignalKind): number => injected.get(kind) ?? 0
    const least = Math.min(...SIGNAL_KINDS.map(done))
    const present = census(this.#chaosBoard).filter((actor) => !this.#stopped.has(keyOf(actor)))
    const kind = random.pick(
      SIGNAL_KINDS.filter(
        (one) => done(one) <= least + AHEAD && present.some(({ target }) => target === targetOf(one)),
      ),
    )
    if (kind === undefined) return
    const actor = random.pick(present.filter(({ target }) => target === targetOf(kind)))
    const single = SINGLE_SIGNALS.get(kind)
    if (actor === undefined) return
    if (single === undefined) this.#shutDown(present.filter(({ run }) => run === actor.run))
    else this.#hit(single.name, actor)
  }

  /** The run is not added to `hit`, because a shutdown must never count as a failure of the run. */
  #shutDown(actors: readonly Actor[]): void {
    const { random, injected } = this.#chaosBoard
    const name = random.pick(SHUTDOWN_SIGNALS) ?? 'SIGTERM'
    let reached = 0
    for (let left = actors; left.length > 0;) {
      const next = random.pick(left)
      left = left.filter((one) => one !== next)
      if (next !== undefined && signal(next, name)) reached += 1
    }
    if (reached > 0) count(injected, SHUTDOWN)
  }

  #hit(name: SignalName, actor: Actor): void {
    const { hit, injected } = this.#chaosBoard
    // The run is added to `hit` before the signal is sent, because another process may see the effect at once.
    if (actor.run !== null) hit.add(actor.run)
    if (!signal(actor, name)) return
    count(injected, `${name} ${actor.target}`)
    if (name === 'SIGSTOP') this.#wakeLater(actor)
  }

  #wakeLater(actor: Actor): void {
    const timer = setTimeout(
      () => this.#wake(keyOf(actor)),
      this.#chaosBoard.random.duration(SHORTEST_STOP_MS, LONGEST_STOP_MS),
    )
    this.#stopped.set(keyOf(actor), { actor, timer })
  }

  #wake(key: string): void {
    const found = this.#stopped.get(key)
    if (found === undefined) return
    clearTimeout(found.timer)
    this.#stopped.delete(key)
    signal(found.actor, 'SIGCONT')
  }

  wakeAll(): void {
    for (const key of this.#stopped.keys()) this.#wake(key)
  }
}

const keyOf = ({ pid, startTime }: Actor): string => `${pid} ${startTime}`
