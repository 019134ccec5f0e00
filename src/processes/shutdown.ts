/**
 * Handles the signals of a shutdown. A logout or a service stop sends a signal to the supervisor and to its agent. The
 * agent may exit before the supervisor gets its signal. This exit is not a failure of the agent.
 */
/** The shutdown signals with their numbers. Shells report a death by signal as exit code 128 + number. */
const SHUTDOWN_SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
type ShutdownSignal = keyof typeof SHUTDOWN_SIGNALS

const signals = Object.keys(SHUTDOWN_SIGNALS) as readonly ShutdownSignal[]

/** Whether a shutdown signal ended the process, or its exit code reports such a signal. */
export const endedByShutdown = ({ code, signal }: { code: number | null; signal: string | null }): boolean =>
  signals.some((one) => (signal === null ? code === 128 + SHUTDOWN_SIGNALS[one] : signal === one))

/**
 * Returns an abort signal that aborts when this process gets a shutdown signal. Its reason is the exit code for that
 * signal. From then on, shutdown signals no longer end the process.
 */
export function abortOnShutdown(): AbortSignal {
  const shutdown = new AbortController()
  for (const signal of signals) process.on(signal, () => shutdown.abort(128 + SHUTDOWN_SIGNALS[signal]))
  return shutdown.signal
}
