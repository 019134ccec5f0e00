/**
 * Starts the watchdog of a run. The supervisor sends a beat after each renewal of the lease. Without beats, the
 * watchdog ends the run. With SQLite no other machine can claim the run, so no watchdog is needed.
 */
import { writeFileSync } from '../util/guarded-files.ts'
import { writeWhole } from '../runs/files/run-directory.ts'
import { startDetached } from '../processes/spawn.ts'
import { WATCHDOG, watchdogArguments } from '../runs/watchdog-script.ts'
import type { SupervisedRun } from './supervised-run.ts'
import { CUT_OFF_SHARE } from './lease.ts'

export interface Watchdog {
  /** Shows the watchdog that the lease was renewed. */
  beat(): void
  stop(): void
}

export const NO_WATCHDOG: Watchdog = { beat: () => {}, stop: () => {} }

export async function startWatchdog({
  store,
  directory,
  fence,
  ticket,
  host,
  leaseMs,
}: SupervisedRun): Promise<Watchdog> {
  if (store.engine !== 'postgres') return NO_WATCHDOG
  let count = 0
  const beat = (): void => {
    count += 1
    try {
      writeFileSync(directory.beat, `${count}\n`, { mode: 0o600 })
    } catch {
      // The beat failed, for example on a full disk. A later beat may succeed, and this supervisor can still end the
      // agent itself.
    }
  }
  beat()
  await writeWhole(directory.watchdog, WATCHDOG, 0o700)
  const { terminateGraceMs } = ticket
  const { pid, exited, release } = await startDetached({
    program: '/bin/sh',
    args: watchdogArguments(directory, fence, { cutOffMs: leaseMs * CUT_OFF_SHARE, terminateGraceMs }),
    cwd: directory.path,
    env: {},
    log: directory.supervisorLog,
  })
  release()
  let lives = true
  void exited.then(() => (lives = false))
  // The pid is still valid: the system does not reuse a child's pid before its exit is reported. The negative pid
  // signals the whole group, including the watchdog's `sleep`.
  return { beat, stop: () => lives && host.processes.signal(-pid, 'SIGKILL') }
}
