/**
 * The transcripts of a page: ```console blocks in which `$ ` starts a command and the lines below show its output. `…`
 * matches any text, and `…` on its own line matches any lines. An id on the page matches any id at first, and the same
 * id from then on. A time matches any time, and `(ready` matches `(running`. The columns of a table with durations may have
 * other widths, because a short or a long duration changes them. The command of a ```console beside block
 * runs beside the rest of the page, as in another terminal, and the page may leave out lines of it. A block inside an
 * HTML comment runs too, but readers do not see it.
 */
export interface Step {
  readonly command: string
  readonly output: readonly string[]
  readonly runsBeside: boolean
  readonly line: number
}

export function stepsOf(page: string): Step[] {
  const steps: { command: string; output: string[]; runsBeside: boolean; line: number }[] = []
  let fence = ''
  page.split('\n').forEach((text, at) => {
    const isInside = /^```console( beside)?$/.test(fence)
    if (text.startsWith('```')) fence = text
    else if (isInside && text.startsWith('$ '))
      steps.push({ command: text.slice(2), output: [], runsBeside: fence.endsWith('beside'), line: at + 1 })
    else if (isInside) steps.at(-1)?.output.push(text)
  })
  return steps.map((step) => ({
    ...step,
    output: step.output.slice(0, step.output.findLastIndex((text) => text !== '') + 1),
  }))
}

/**
 * The texts that differ from run to run: how long ago, a duration with the spaces that fill its column, a time of day,
 * a date with a time, and the status of a ready card, which a board may have started already.
 */
const LOOSE = [
  '(?:just now|\\d+(?:\\.\\d+)? (?:s|min|h) ago)',
  '\\d+(?:\\.\\d+)? (?:ms|s|min|h)\\b *',
  '\\d\\d:\\d\\d:\\d\\d',
  '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d',
  '\\((?:ready|running)\\b',
]
/** A duration between the spaces of its column. */
const DURATION_CELL = / {2}\d+(?:\.\d+)? (?:ms|s|min|h) {2}/
/** Matches the parts of a line that differ from run to run. */
const VARYING = new RegExp(`(t_[0-9a-z]{10}|t_[0-9a-z]{6}(?![0-9a-z])|…|${LOOSE.join('|')})`)

const ID = /t_[0-9a-z]{10}/g
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Maps each id on a page to the id that the command printed. */
export class Names {
  readonly #real = new Map<string, string>()

  /** Replaces the ids of the page by the printed ids. */
  translate(text: string): string {
    return text.replace(ID, (id) => this.#real.get(id) ?? id)
  }

  /** Whether the printed lines match the lines on the page. New ids are remembered. */
  matches(expected: readonly string[], printed: readonly string[]): boolean {
    const groups = new Map<string, string>()
    const isTable = expected.some((line) => DURATION_CELL.test(line))
    const pattern = expected.map((line) =>
      line === '…' ? '(?:[^\\n]*\\n)*?' : `${this.#patternOf(line, groups, isTable)}\\n`,
    )
    const found = new RegExp(`^${pattern.join('')}$`).exec(printed.map((line) => `${line}\n`).join(''))
    for (const [id, group] of groups) {
      const real = found?.groups?.[group]
      if (real !== undefined) this.#real.set(id, real)
    }
    return found !== null
  }

  /** Returns the pattern of a line. `groups` names a group of the pattern for each new id. */
  #patternOf(line: string, groups: Map<string, string>, isTable: boolean): string {
    return line
      .split(VARYING)
      .map((part, at) => {
        if (at % 2 === 0) return isTable ? escaped(part).replaceAll(/ {2,}/g, ' {2,}') : escaped(part)
        if (part.startsWith('t_')) return part.length === 12 ? this.#idPattern(part, groups) : this.#shortPattern(part)
        return part === '…' ? '[^\\n]*' : (LOOSE.find((loose) => new RegExp(`^${loose}$`).test(part)) ?? '')
      })
      .join('')
  }

  #idPattern(id: string, groups: Map<string, string>): string {
    const known = this.#real.get(id)
    if (known !== undefined) return known
    const group = groups.get(id)
    if (group !== undefined) return `\\k<${group}>`
    groups.set(id, `id${groups.size}`)
    return `(?<id${groups.size - 1}>t_[0-9a-z]{10})`
  }

  /** Returns the pattern of the short form of an id, which views show. */
  #shortPattern(short: string): string {
    const known = [...this.#real].find(([page]) => page.startsWith(short))?.[1]
    return known === undefined ? 't_[0-9a-z]{6}' : known.slice(0, short.length)
  }
}
