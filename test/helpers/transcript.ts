/**
 * The transcripts of a page: ```console blocks in which `$ ` starts a command and the lines below show its output. `…`
 * matches any text. An id on the page matches any id at first, and the same id from then on.
 */
export interface Step {
  readonly command: string
  readonly output: readonly string[]
  readonly line: number
}

export function stepsOf(page: string): Step[] {
  const steps: { command: string; output: string[]; line: number }[] = []
  let inside = false
  page.split('\n').forEach((text, at) => {
    if (text.startsWith('```')) inside = text === '```console'
    else if (inside && text.startsWith('$ ')) steps.push({ command: text.slice(2), output: [], line: at + 1 })
    else if (inside) steps.at(-1)?.output.push(text)
  })
  return steps
}

const ID = /t_[0-9a-z]{10}/g
/** The short form of an id, as in the output of commands. */
const SHORT_ID = /^t_[0-9a-z]{6}$/
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Maps each id on a page to the id that the command printed. */
export class Names {
  readonly #real = new Map<string, string>()

  /** Replaces the ids of the page by the printed ids. */
  translate(text: string): string {
    return text.replace(ID, (id) => this.#real.get(id) ?? id)
  }

  #shortPattern(short: string): string {
    const known = [...this.#real].find(([page]) => page.startsWith(short))?.[1]
    return known === undefined ? 't_[0-9a-z]{6}' : escaped(known.slice(0, short.length))
  }

  /** Returns whether a printed line matches the line on the page, and remembers new ids. */
  matches(expected: string, printed: string): boolean {
    const learnt: string[] = []
    const pattern = expected
      .split(/(t_[0-9a-z]{10}|t_[0-9a-z]{6}(?![0-9a-z])|…)/)
      .map((part) => {
        if (part === '…') return '.*'
        if (SHORT_ID.test(part)) return this.#shortPattern(part)
        if (!part.match(/^t_[0-9a-z]{10}$/)) return escaped(part)
        const known = this.#real.get(part)
        if (known !== undefined) return escaped(known)
        learnt.push(part)
        return '(t_[0-9a-z]{10})'
      })
      .join('')
    const found = new RegExp(`^${pattern}$`).exec(printed)
    found?.slice(1).forEach((real, at) => this.#real.set(learnt[at] ?? '', real))
    return found !== null
  }
}
