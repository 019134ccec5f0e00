/**
 * The supervisor of a run, as the process that started it saw it. Until the supervisor has registered in the store, this
 * is how a dispatcher tells one that is still starting from one that is dead.
 */
import { identitySchema } from '../core/run.ts'
import type { Identity } from '../core/run.ts'
import { readFileSync } from '../util/guarded-files.ts'
import type { Host } from './identity.ts'
import { identify } from './identity.ts'
import { writeWhole } from './run-directory.ts'
import type { RunDirectory } from './run-directory.ts'

/** A disk that is full costs only this: the start deadline still applies. */
export async function noteSupervisor(directory: RunDirectory, host: Host, pid: number): Promise<void> {
  // A process that is not in the table any more is dead; no process has this start time.
  const identity = identify(host, pid) ?? { ...host.machine, machine: host.machine.id, pid, startTime: 'unknown' }
  await writeWhole(directory.supervisor, `${JSON.stringify(identity)}\n`).catch(() => {})
}

/** Null when the supervisor was not started, or could not be noted. */
export function readSupervisor(directory: RunDirectory): Identity | null {
  try {
    const read = identitySchema.safeParse(JSON.parse(readFileSync(directory.supervisor, 'utf8')))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
