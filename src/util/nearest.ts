/**
 * Returns the edit distance of two words. Each step adds, removes or changes a letter, or swaps two neighbouring
 * letters.
 */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + same,
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? 0
}

/** The known word that the user probably meant. Null means that no known word is similar. */
export const nearest = (typed: string, known: readonly string[]): string | null => nearestOf(typed, known)[0] ?? null

/**
 * The known words that the user may have meant, the most likely word first. A longer word may have more wrong letters.
 */
export function nearestOf(typed: string, known: readonly string[]): readonly string[] {
  const word = typed.toLowerCase()
  const begun = known.filter((name) => word.length > 1 && name.startsWith(word))
  if (begun.length === 1) return begun
  return known
    .map((name) => ({ name, steps: distance(word, name) }))
    .filter(({ name, steps }) => steps <= Math.max(1, Math.floor(Math.max(name.length, word.length) / 3)))
    .sort((a, b) => a.steps - b.steps)
    .map(({ name }) => name)
}
