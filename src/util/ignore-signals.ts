const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Until the returned function is called, these signals do not end this process. They still reach its children. */
export function ignoreSignals(): () => void {
  const ignore = (): void => {}
  for (const signal of SIGNALS) process.on(signal, ignore)
  return () => {
    for (const signal of SIGNALS) process.off(signal, ignore)
  }
}
