/** The processes of this machine, as one interface: the simulator and the tests bring their own. */
export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 where the system does not tell. */
  readonly session: number
  /** It has ended and only waits to be collected: dead for every purpose of ours. */
  readonly zombie: boolean
  /** Opaque; with the boot id it tells a process from a later one of the same pid. */
  readonly startTime: string
}

export interface ProcessTable {
  /** Null when no such process exists. */
  read(pid: number): ProcessInfo | null
  list(): readonly ProcessInfo[]
  /** Whether the process was started with `entry` (`NAME=value`); false where that cannot be known. */
  hasEnvironment(pid: number, entry: string): boolean
  /** Sends a signal; a process that is gone, or not ours, is left alone without an error. */
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
