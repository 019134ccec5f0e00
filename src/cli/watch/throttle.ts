/** Limits how often a function is called. The first request calls it at once; later calls keep a minimum interval. */
export interface Throttle {
  request(): void
  stop(): void
}

export function makeThrottle(everyMs: number, call: () => void): Throttle {
  let timer: NodeJS.Timeout | null = null
  let isRequested = false
  let isStopped = false
  const next = (): void => {
    timer = null
    if (isRequested) begin()
  }
  const begin = (): void => {
    isRequested = false
    timer = setTimeout(next, everyMs)
    call()
  }
  return {
    request: () => {
      if (isStopped) return
      if (timer === null) begin()
      else isRequested = true
    },
    stop: () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
