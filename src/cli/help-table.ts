/** Names and what they mean, laid out so that they fit a small terminal. Nothing is ever cut. */
const HELP_WIDTH = 80

export type Row = readonly [name: string, meaning: string]

/** As one column where there is room; else the longest rows take a line each, and the others stand side by side. */
export function layTable(rows: readonly Row[], room: number): string[] {
  const plain = oneColumn(rows)
  if (plain.length <= room) return plain
  const byLength = rows.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  for (let wide = 0; wide < rows.length; wide += 1) {
    const longest = new Set(byLength.slice(0, wide))
    const pairs = twoColumns(rows.filter((row) => !longest.has(row)))
    const lines = [...oneColumn(rows.filter((row) => longest.has(row))), ...pairs]
    if (pairs.every((line) => line.length <= HELP_WIDTH) && lines.length <= room) return lines
  }
  return plain
}

const lengthOf = ([name, meaning]: Row): number => name.length + meaning.length

function oneColumn(rows: readonly Row[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length), 0) + 4
  return rows.flatMap(([name, meaning]) => wrapWords(`  ${name}`.padEnd(left), meaning.split(' ')))
}

/** Pairs of rows side by side, filled downwards. */
function twoColumns(rows: readonly Row[]): string[] {
  const half = Math.ceil(rows.length / 2)
  const cells = [rows.slice(0, half), rows.slice(half)].map((column) => {
    const left = Math.max(...column.map(([name]) => name.length), 0) + 2
    return column.map(([name, meaning]) => `  ${name.padEnd(left)}${meaning}`)
  })
  const width = Math.max(...(cells[0] ?? []).map((cell) => cell.length), 0)
  return (cells[0] ?? []).map((cell, at) => `${cell.padEnd(width)}${cells[1]?.[at] ?? ''}`.trimEnd())
}

/** Words after a label, as many on a line as fit, the next lines under the first word. */
export function wrapWords(label: string, words: readonly string[]): string[] {
  const lines: string[] = []
  let line = label
  for (const word of words) {
    const glue = line.length === label.length ? '' : ' '
    if (glue !== '' && line.length + 1 + word.length > HELP_WIDTH) {
      lines.push(line)
      line = ' '.repeat(label.length) + word
    } else line += glue + word
  }
  return [...lines, line]
}
