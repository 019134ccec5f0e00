// Prints the output of tasks that run at the same time, one task after another.

/** @typedef {{ name: string, text: string, hasEnded: boolean }} Turn */

/** The first task that has not ended prints directly. The output of later tasks waits for its turn. */
export class OrderedOutput {
  /** @type {Turn[]} */
  #turns
  /** @type {(text: string) => void} */
  #print

  constructor(/** @type {readonly string[]} */ names, /** @type {(text: string) => void} */ print) {
    this.#turns = names.map((name) => ({ name, text: '', hasEnded: false }))
    this.#print = print
  }

  write(/** @type {string} */ name, /** @type {string} */ text) {
    this.#turn(name).text += text
    this.#printTurns()
  }

  end(/** @type {string} */ name) {
    this.#turn(name).hasEnded = true
    this.#printTurns()
  }

  /** Prints all output, also of tasks whose turn has not come, for example after an interruption. */
  endAll() {
    for (const turn of this.#turns) turn.hasEnded = true
    this.#printTurns()
  }

  #turn(/** @type {string} */ name) {
    const found = this.#turns.find((turn) => turn.name === name)
    if (!found) throw new Error(`${name} has no turn`)
    return found
  }

  #printTurns() {
    for (let first = this.#turns[0]; first; first = this.#turns[0]) {
      if (first.text !== '') this.#print(first.text)
      first.text = ''
      if (!first.hasEnded) return
      this.#turns.shift()
    }
  }
}
