/**
 * A page's transcripts: ```console blocks in which `$ ` starts a command and the lines below it are what it prints.
 * `…` stands for anything. An id on a page stands for the id that the command really printed there, from then on.
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
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The ids that a page uses and those they turned out to be. */
export class Names {
  readonly #real = new Map<string, string>()

  /** A command of the page, with the real ids. */
  translate(text: string): string {
    return text.replace(ID, (id) => this.#real.get(id) ?? id)
  }

  /** Whether a printed line is the one on the page; new ids are learnt from it. */
  matches(expected: string, printed: string): boolean {
    const learnt: string[] = []
    const pattern = expected
      .split(/(t_[0-9a-z]{10}|…)/)
      .map((part) => {
        if (part === '…') return '.*'
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
