/** Kills and stops processes at random, and wakes the stopped ones some time later. */
import { setTimeout as sleep } from 'node:timers/promises'
import { census, signal } from './census.ts'
import { BLOWS, SHUTDOWN, SHUTDOWN_SIGNALS, SIGNAL_KINDS, TARGETS, count } from './chaos-board.ts'
import type { Actor, Blow, ChaosBoard, SignalKind, Target } from './chaos-board.ts'

/** From a hiccup to well beyond the lease of a run and of a dispatcher. */
const SHORTEST_STOP_MS = 50
const LONGEST_STOP_MS = 9_000
const AHEAD = 2

interface Single {
  readonly blow: Blow
  readonly target: Target
}

const SINGLES = new Map<SignalKind, Single>(
  BLOWS.flatMap((blow) => TARGETS.map((target) => [`${blow} ${target}`, { blow, target }] as const)),
)

/** The target of each kind of blow; a run is shut down through its supervisor. */
const targetOf = (kind: SignalKind): Target => SINGLES.get(kind)?.target ?? 'supervisor'

export class Blows {
  readonly #chaosBoard: ChaosBoard
  readonly #stopped = new Map<string, { actor: Actor; timer: NodeJS.Timeout }>()

  constructor(chaosBoard: ChaosBoard) {
    this.#chaosBoard = chaosBoard
  }

  /** Strikes about every `everyMs` until the signal. */
  async rain(everyMs: number, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await sleep(this.#chaosBoard.random.between(everyMs / 2, everyMs * 1.5), undefined, { signal: until }).catch(
        () => {},
      )
      if (!until.aborted) this.#strike()
    }
  }

  /** No kind gets far ahead of the rarest: dispatchers are always there to be hit, but then nothing else would run. */
  #strike(): void {
    const { random, blows } = this.#chaosBoard
    const done = (kind: SignalKind): number => blows.get(kind) ?? 0
    const least = Math.min(...SIGNAL_KINDS.map(done))
    const present = census(this.#chaosBoard).filter((actor) => !this.#stopped.has(keyOf(actor)))
    const kind = random.pick(
      SIGNAL_KINDS.filter(
        (one) => done(one) <= least + AHEAD && present.some(({ target }) => target === targetOf(one)),
      ),
    )
    if (kind === undefined) return
    const actor = random.pick(present.filter(({ target }) => target === targetOf(kind)))
    const single = SINGLES.get(kind)
    if (actor === undefined) return
    if (single === undefined) this.#shutDown(present.filter(({ run }) => run === actor.run))
    else this.#hit(single.blow, actor)
  }

  /** Does not count as a hit: nothing that it interrupts may count as a failure. */
  #shutDown(actors: readonly Actor[]): void {
    const { random, blows } = this.#chaosBoard
    const name = random.pick(SHUTDOWN_SIGNALS) ?? 'SIGTERM'
    let reached = 0
    for (let left = actors; left.length > 0;) {
      const next = random.pick(left)
      left = left.filter((one) => one !== next)
      if (next !== undefined && signal(next, name)) reached += 1
    }
    if (reached > 0) count(blows, SHUTDOWN)
  }

  #hit(blow: Blow, actor: Actor): void {
    const { hit, blows } = this.#chaosBoard
    // Recorded before the signal, so that a process that sees its effect can find it.
    if (actor.run !== null) hit.add(actor.run)
    if (!signal(actor, blow)) return
    count(blows, `${blow} ${actor.target}`)
    if (blow === 'SIGSTOP') this.#wakeLater(actor)
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
