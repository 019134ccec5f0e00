/** Formats the report of a chaos test. */
import type { ChaosReport } from './chaos.ts'
import { SIGNALS, SIGNAL_KINDS, SHUTDOWN, TARGETS, kindsOn } from './chaos-board.ts'

const SHOWN_FAULTS = 20
const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0)
const row = (name: string, cells: readonly (string | number)[]): string =>
  `  ${name.padEnd(12)}${cells.map((cell) => String(cell).padStart(12)).join('')}`
const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ')

export function chaosTable({
  engine,
  seed,
  passesOnly,
  cards,
  outcomes,
  looks,
  injected,
  verbs,
  faults,
}: ChaosReport): string {
  const counts = (name: (typeof SIGNALS)[number]): number[] =>
    TARGETS.map((target) => injected.get(`${name} ${target}`) ?? 0)
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)
  const others = kindsOn(engine).filter((kind) => kind === SHUTDOWN || !SIGNAL_KINDS.some((one) => one === kind))
  return [
    `${engine}, seed ${seed}${passesOnly ? ', separate passes only' : ''}`,
    row('', [...TARGETS, 'all']),
    ...SIGNALS.map((name) => row(name, [...counts(name), sum(counts(name))])),
    `  ${others.map((kind) => `${kind}: ${injected.get(kind) ?? 0}`).join(', ')}`,
    `  cards       ${cards}`,
    `  runs        ${total(outcomes)}: ${listed(outcomes)}`,
    `  verbs       ${total(verbs)}: ${listed(verbs)}`,
    `  looks       ${looks}`,
    `  violations  ${faults.length}`,
    ...faults.slice(0, SHOWN_FAULTS).map((fault) => `    ✗ ${fault}`),
    ...(faults.length > SHOWN_FAULTS ? [`    and ${faults.length - SHOWN_FAULTS} more`] : []),
  ].join('\n')
}
