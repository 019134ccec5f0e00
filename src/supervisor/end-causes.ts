/** Collects the causes that may end a run. A caller waits for the first cause that is relevant to the caller. */
export class EndCauses<Cause extends { readonly kind: string }> {
  readonly #known: Cause[] = []
  readonly #waiting = new Set<(cause: Cause) => void>()

  add(cause: Cause): void {
    if (this.#known.some(({ kind }) => kind === cause.kind)) return
    this.#known.push(cause)
    for (const receive of this.#waiting) receive(cause)
  }

  /** Returns the first cause whose kind is not in `except`. Waits until such a cause is known. */
  next(...except: readonly Cause['kind'][]): Promise<Cause> {
    const concerns = ({ kind }: Cause): boolean => !except.includes(kind)
    const known = this.#known.find(concerns)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => {
      const receive = (cause: Cause): void => {
        if (!concerns(cause)) return
        this.#waiting.delete(receive)
        resolve(cause)
      }
      this.#waiting.add(receive)
    })
  }

  /** Whether a cause of this kind is known now, or becomes known within `ms`. */
  async arrivesWithin(kind: Cause['kind'], ms: number): Promise<boolean> {
    if (this.#known.some((cause) => cause.kind === kind)) return true
    return new Promise((resolve) => {
      const receive = (cause: Cause): void => {
        if (cause.kind === kind) end(true)
      }
      const end = (came: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(receive)
        resolve(came)
      }
      const timer = setTimeout(end, ms, false)
      this.#waiting.add(receive)
    })
  }
}
