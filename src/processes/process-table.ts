/** The processes of this machine. The simulator and the tests replace this table with their own. */
export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 if the system does not report it. */
  readonly session: number
  /** Whether the process has exited and its parent has not read the exit status yet. */
  readonly zombie: boolean
  /** An opaque text. Together with the boot id, it distinguishes a process from a later process with the same pid. */
  readonly startTime: string
}

export interface ProcessTable {
  /** Null if the process does not exist. */
  read(pid: number): ProcessInfo | null
  list(): readonly ProcessInfo[]
  /** Whether the process was started with `entry` (`NAME=value`) in its environment; false if unknown. */
  hasEnvironment(pid: number, entry: string): boolean
  /** Does nothing if the process has ended or belongs to another user. */
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
