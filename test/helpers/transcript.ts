/**
 * The transcripts of a page: ```console blocks in which `$ ` starts a command and the lines below show its output. `…`
 * matches any text, and `…` on its own line matches any lines. An id on the page matches any id at first, and the same
 * id from then on. Output that ends with `^C` belongs to a command that runs beside the rest of the page, as in a second terminal; the page may leave out lines of
 * it. A block inside an HTML comment runs too, but readers do not see it.
 */
export interface Step {
  readonly command: string
  readonly output: readonly string[]
  readonly runsBeside: boolean
  readonly line: number
}

export function stepsOf(page: string): Step[] {
  const steps: { command: string; output: string[]; line: number }[] = []
  let inside = false
  page.split('\n').forEach((text, at) => {
    if (text.startsWith('```')) inside = text === '```console'
    else if (inside && text.startsWith('$ ')) steps.push({ command: text.slice(2), output: [], line: at + 1 })
    else if (inside && text !== '') steps.at(-1)?.output.push(text)
  })
  return steps.map(({ output, ...step }) => {
    const runsBeside = output.at(-1) === '^C'
    return { ...step, runsBeside, output: runsBeside ? output.slice(0, -1) : output }
  })
}

const ID = /t_[0-9a-z]{10}/g
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Maps each id on a page to the id that the command printed. */
export class Names {
  readonly #real = new Map<string, string>()

  /** Replaces the ids of the page by the printed ids. */
  translate(text: string): string {
    return text.replace(ID, (id) => this.#real.get(id) ?? id)
  }

  /** Whether the printed lines match the lines on the page. Remembers new ids. */
  matches(expected: readonly string[], printed: readonly string[]): boolean {
    const groups = new Map<string, string>()
    const pattern = expected.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${this.#patternOf(line, groups)}\\n`))
    const found = new RegExp(`^${pattern.join('')}$`).exec(printed.map((line) => `${line}\n`).join(''))
    for (const [id, group] of groups) {
      const real = found?.groups?.[group]
      if (real !== undefined) this.#real.set(id, real)
    }
    return found !== null
  }

  /** `groups` names a group of the pattern for each new id. */
  #patternOf(line: string, groups: Map<string, string>): string {
    return line
      .split(/(t_[0-9a-z]{10}|t_[0-9a-z]{6}(?![0-9a-z])|…)/)
      .map((part, at) => {
        if (at % 2 === 0) return escaped(part)
        if (part === '…') return '.*'
        return part.length === 12 ? this.#idPattern(part, groups) : this.#shortPattern(part)
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

  /** The pattern of the short form of an id, which views show. */
  #shortPattern(short: string): string {
    const known = [...this.#real].find(([page]) => page.startsWith(short))?.[1]
    return known === undefined ? 't_[0-9a-z]{6}' : known.slice(0, short.length)
  }
}
