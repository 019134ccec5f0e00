/**
 * A logout, or the stop of a service, sends one signal to the supervisor and to its agent at once. The agent may be gone
 * before the supervisor hears of it: such a death is nobody's failure.
 */
/** With the numbers by which a shell reports them. */
const SHUTDOWN_SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
type ShutdownSignal = keyof typeof SHUTDOWN_SIGNALS

const signals = Object.keys(SHUTDOWN_SIGNALS) as readonly ShutdownSignal[]

/** Whether a process ended as one does that was asked to, by its signal or by the exit code that stands for it. */
export const endedByShutdown = ({ code, signal }: { code: number | null; signal: string | null }): boolean =>
  signals.some((one) => (signal === null ? code === 128 + SHUTDOWN_SIGNALS[one] : signal === one))

/**
 * Aborted once this process was asked to end, with the exit code that stands for the signal as its reason. From now on
 * such a signal does not end the process at once.
 */
export function untilAskedToStop(): AbortSignal {
  const asked = new AbortController()
  for (const signal of signals) process.on(signal, () => asked.abort(128 + SHUTDOWN_SIGNALS[signal]))
  return asked.signal
}
