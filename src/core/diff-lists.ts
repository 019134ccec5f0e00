/** The difference between two lists. The longest common part stays; all other items are removed or added. */
export interface DiffStep<T> {
  readonly sign: ' ' | '-' | '+'
  readonly item: T
}

/**
 * The limit for an exact comparison. If the lists are longer, everything between their equal ends counts as replaced.
 */
const CELLS_MAX = 400_000

/** Removed items come before the added items that replace them. */
export function diffLists<T>(before: readonly T[], after: readonly T[]): readonly DiffStep<T>[] {
  const start = equalStart(before, after)
  const end = equalEnd(before, after, start)
  const middle = diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end))
  return [...kept(before.slice(0, start)), ...middle, ...kept(before.slice(before.length - end))]
}

const signed = <T>(sign: DiffStep<T>['sign'], items: readonly T[]): readonly DiffStep<T>[] =>
  items.map((item) => ({ sign, item }))

const kept = <T>(items: readonly T[]): readonly DiffStep<T>[] => signed(' ', items)

function equalStart<T>(before: readonly T[], after: readonly T[]): number {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before[at] === after[at]) at += 1
  return at
}

function equalEnd<T>(before: readonly T[], after: readonly T[], start: number): number {
  const most = Math.min(before.length, after.length) - start
  let at = 0
  while (at < most && before[before.length - 1 - at] === after[after.length - 1 - at]) at += 1
  return at
}

function diffMiddle<T>(before: readonly T[], after: readonly T[]): readonly DiffStep<T>[] {
  if (before.length * after.length > CELLS_MAX || before.length === 0 || after.length === 0)
    return [...signed('-', before), ...signed('+', after)]
  const width = after.length + 1
  const lengths = commonLengths(before, after)
  const steps: DiffStep<T>[] = []
  let [one, other] = [0, 0]
  while (one < before.length && other < after.length) {
    if (before[one] === after[other]) {
      steps.push(...kept(before.slice(one, one + 1)))
      one += 1
      other += 1
    } else if ((lengths[(one + 1) * width + other] ?? 0) >= (lengths[one * width + other + 1] ?? 0)) {
      steps.push(...signed('-', before.slice(one, one + 1)))
      one += 1
    } else {
      steps.push(...signed('+', after.slice(other, other + 1)))
      other += 1
    }
  }
  return [...steps, ...signed('-', before.slice(one)), ...signed('+', after.slice(other))]
}

/** The length of the longest common part for each pair of positions, row by row. */
function commonLengths<T>(before: readonly T[], after: readonly T[]): Uint16Array {
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1)
      lengths[one * width + other] =
        before[one] === after[other]
          ? (lengths[(one + 1) * width + other + 1] ?? 0) + 1
          : Math.max(lengths[(one + 1) * width + other] ?? 0, lengths[one * width + other + 1] ?? 0)
  return lengths
}
