/**
 * A logout or a service stop signals the supervisor and its agent at once. The agent may exit before the supervisor gets
 * its signal: such an exit is not a failure.
 */
/** Signals with their numbers: shells report them as exit code 128 + number. */
const SHUTDOWN_SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
type ShutdownSignal = keyof typeof SHUTDOWN_SIGNALS

const signals = Object.keys(SHUTDOWN_SIGNALS) as readonly ShutdownSignal[]

/** Whether a process was ended by a shutdown signal, or exited with the code that stands for one. */
export const endedByShutdown = ({ code, signal }: { code: number | null; signal: string | null }): boolean =>
  signals.some((one) => (signal === null ? code === 128 + SHUTDOWN_SIGNALS[one] : signal === one))

/**
 * Aborts when this process gets a shutdown signal; the reason is the exit code for that signal. From then on these signals
 * no longer end the process.
 */
export function untilAskedToStop(): AbortSignal {
  const asked = new AbortController()
  for (const signal of signals) process.on(signal, () => asked.abort(128 + SHUTDOWN_SIGNALS[signal]))
  return asked.signal
}
