/** The processes of this machine, as one interface: the simulator and the tests bring their own. */
export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 if the system does not report it. */
  readonly session: number
  /** It has exited and only waits to be reaped. */
  readonly zombie: boolean
  /** Opaque; with the boot id it distinguishes a process from a later one with the same pid. */
  readonly startTime: string
}

export interface ProcessTable {
  /** Null when no such process exists. */
  read(pid: number): ProcessInfo | null
  list(): readonly ProcessInfo[]
  /** Whether the process was started with `entry` (`NAME=value`); false if unknown. */
  hasEnvironment(pid: number, entry: string): boolean
  /** Sends a signal; no error if the process is gone or belongs to another user. */
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
