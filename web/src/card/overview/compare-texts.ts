/** Compares two texts line by line. */

export interface DiffLine {
  readonly is: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Texts with more lines are not compared, because that would block the page. */
const MOST = 2_000

/** Compares two texts. Returns null if they are too long. */
export function compareTexts(before: string, after: string): readonly DiffLine[] | null {
  const [a, b] = [before.split('\n'), after.split('\n')]
  if (a.length > MOST || b.length > MOST) return null
  const lengths = commonLengths(a, b)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      lines.push({ is: 'same', text: left })
      i += 1
      j += 1
    } else if (right === undefined || (left !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      lines.push({ is: 'removed', text: left ?? '' })
      i += 1
    } else {
      lines.push({ is: 'added', text: right })
      j += 1
    }
  }
  return lines
}

type Table = readonly Uint16Array[]

const at = (table: Table, i: number, j: number): number => table[i]?.[j] ?? 0

/** For each pair of lines, the length of the longest common sequence from there to the end. */
function commonLengths(a: readonly string[], b: readonly string[]): Table {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i]
      if (row === undefined) continue
      row[j] = a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1))
    }
  return table
}
