const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ignores these signals until the returned function is called. They still reach child processes. */
export function ignoreSignals(): () => void {
  const ignore = (): void => {}
  for (const signal of SIGNALS) process.on(signal, ignore)
  return () => {
    for (const signal of SIGNALS) process.off(signal, ignore)
  }
}
