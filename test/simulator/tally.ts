/** Sums up the results of many simulations. */
import type { SeedReport } from './world.ts'
import { FAULTS } from './faults.ts'

/** The number of passes through an await after which a crash must have happened at this await. */
const OFTEN = 2_000

const add = (sum: Map<string, number>, more: ReadonlyMap<string, number>): void => {
  for (const [key, count] of more) sum.set(key, (sum.get(key) ?? 0) + count)
}
const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0)
const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

export class Tally {
  seeds = 0
  #steps = 0
  #fewest = Infinity
  #looks = 0
  #cards = 0
  readonly #runs = new Map<string, number>()
  readonly #faults = new Map<string, number>()
  readonly #passed = new Map<string, number>()
  readonly #crashedAt = new Map<string, number>()
  readonly violations: { readonly seed: number; readonly faults: readonly string[] }[] = []

  add({ seed, steps, looks, cards, runs, violations, faults, passed, crashedAt }: SeedReport): void {
    this.seeds += 1
    this.#steps += steps
    this.#fewest = Math.min(this.#fewest, steps)
    this.#looks += looks
    this.#cards += cards
    add(this.#runs, runs)
    add(this.#faults, faults)
    add(this.#passed, passed)
    add(this.#crashedAt, crashedAt)
    if (violations.length > 0) this.violations.push({ seed, faults: violations })
  }

  /** Returns the faults that were never injected. */
  unseenFaults(): readonly string[] {
    return FAULTS.filter((fault) => !this.#faults.has(fault)).map((fault) => `${fault}: never injected`)
  }

  /** Returns the faults that were never injected, and the awaits without a crash. */
  missing(): readonly string[] {
    const awaits = [...this.#passed].filter(([place, times]) => times >= OFTEN && !this.#crashedAt.has(place))
    return [...this.unseenFaults(), ...awaits.map(([place, times]) => `${place}: no crash in ${times} passes`)]
  }

  toString(): string {
    return [
      `seeds       ${this.seeds}`,
      `steps       ${this.#steps}, at least ${this.#fewest} each`,
      `looks       ${this.#looks}`,
      `cards       ${this.#cards}`,
      `runs        ${total(this.#runs)}: ${listed(this.#runs)}`,
      `faults      ${total(this.#faults)}`,
      ...FAULTS.map((fault) => `  ${fault.padEnd(32)}${String(this.#faults.get(fault) ?? 0).padStart(8)}`),
      `crashes     at ${this.#crashedAt.size} of ${this.#passed.size} awaits`,
      `violations  ${this.violations.length}`,
      ...this.violations
        .slice(0, 20)
        .flatMap(({ seed, faults }) => [`  ✗ seed ${seed}`, ...faults.slice(0, 3).map((fault) => `      ${fault}`)]),
      ...this.missing().map((sentence) => `  ✗ ${sentence}`),
    ].join('\n')
  }
}
