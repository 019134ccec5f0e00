/** A sleep that `ring` ends early. If `ring` is called before a sleep, the next sleep ends at once. */
export interface AlarmClock {
  readonly ring: () => void
  readonly sleep: (ms: number) => Promise<void>
}

export function makeAlarmClock(): AlarmClock {
  let rung = false
  let wake: (() => void) | null = null
  return {
    ring() {
      rung = true
      wake?.()
    },
    async sleep(ms) {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = null
      rung = false
    },
  }
}
