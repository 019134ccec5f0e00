/** A process of this machine. The simulator and the tests have their own tables of processes. */
export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** The id of the session. 0 means that the system does not report it. */
  readonly session: number
  /** Whether the process has exited and its parent has not read the exit status yet. */
  readonly zombie: boolean
  /** A text that, together with the boot id, distinguishes a process from a later process with the same pid. */
  readonly startTime: string
}

export interface ProcessTable {
  /** Reads a process. Returns null if the process does not exist. */
  read(pid: number): ProcessInfo | null
  list(): readonly ProcessInfo[]
  /**
   * Whether the process was started with `entry` (`NAME=value`) in its environment. Returns false if the environment is
   * unknown.
   */
  hasEnvironment(pid: number, entry: string): boolean
  /** Sends a signal. If the process has ended or belongs to another user, nothing happens. */
  signal(pid: number, signal: NodeJS.Signals): void
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
