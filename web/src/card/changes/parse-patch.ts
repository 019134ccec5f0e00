/** Parses the patch of one file, as git prints it. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
  /** The line number before the change. Null means that the line did not exist. */
  readonly oldNo: number | null
  readonly newNo: number | null
  /** Whether the file ends after this line without a line break. */
  readonly isUnended?: true
}

export interface Hunk {
  readonly oldStart: number
  readonly newStart: number
  /** The text that git prints after the line numbers, such as the name of a function. */
  readonly heading: string
  readonly lines: readonly DiffLine[]
}

const HEADER = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/

export function parsePatch(patch: string): readonly Hunk[] {
  const hunks: { oldStart: number; newStart: number; heading: string; lines: DiffLine[] }[] = []
  let [oldNo, newNo] = [0, 0]
  for (const line of patch.split('\n')) {
    const header = HEADER.exec(line)
    if (header !== null) {
      oldNo = Number(header[1])
      newNo = Number(header[2])
      hunks.push({ oldStart: oldNo, newStart: newNo, heading: header[3] ?? '', lines: [] })
      continue
    }
    const lines = hunks.at(-1)?.lines
    if (lines === undefined) continue
    const text = line.slice(1)
    if (line.startsWith(' ')) lines.push({ sign: ' ', text, oldNo: oldNo++, newNo: newNo++ })
    else if (line.startsWith('-')) lines.push({ sign: '-', text, oldNo: oldNo++, newNo: null })
    else if (line.startsWith('+')) lines.push({ sign: '+', text, oldNo: null, newNo: newNo++ })
    else if (line.startsWith('\\')) {
      const last = lines.pop()
      if (last !== undefined) lines.push({ ...last, isUnended: true })
    }
  }
  return hunks
}
