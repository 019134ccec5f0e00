/** Splits a long text into lines of limited length, so that a list can mount only some of them. */
const LINE_MAX = 2_000

export function textLines(text: string): readonly string[] {
  const lines: string[] = []
  for (const line of text.split('\n'))
    if (line.length <= LINE_MAX) lines.push(line)
    else for (let at = 0; at < line.length; at += LINE_MAX) lines.push(line.slice(at, at + LINE_MAX))
  return lines
}
