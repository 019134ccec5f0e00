/** Why a run may come to its end, as it becomes known. Several causes may come; who waits says which concern it. */
export class EndCauses<Cause extends { readonly kind: string }> {
  readonly #told: Cause[] = []
  readonly #waiting = new Set<(cause: Cause) => void>()

  add(cause: Cause): void {
    if (this.#told.some(({ kind }) => kind === cause.kind)) return
    this.#told.push(cause)
    for (const hear of this.#waiting) hear(cause)
  }

  /** The first one, known already or still to come, that is none of these. */
  next(...except: readonly Cause['kind'][]): Promise<Cause> {
    const concerns = ({ kind }: Cause): boolean => !except.includes(kind)
    const known = this.#told.find(concerns)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => {
      const hear = (cause: Cause): void => {
        if (!concerns(cause)) return
        this.#waiting.delete(hear)
        resolve(cause)
      }
      this.#waiting.add(hear)
    })
  }

  /** Whether a cause of this kind is known already, or arrives within this time. */
  async arrivesWithin(kind: Cause['kind'], ms: number): Promise<boolean> {
    if (this.#told.some((cause) => cause.kind === kind)) return true
    return new Promise((resolve) => {
      const hear = (cause: Cause): void => {
        if (cause.kind === kind) end(true)
      }
      const end = (came: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(hear)
        resolve(came)
      }
      const timer = setTimeout(end, ms, false)
      this.#waiting.add(hear)
    })
  }
}
