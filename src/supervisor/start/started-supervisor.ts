/**
 * The file with the identity of a supervisor, written by the process that starts the supervisor. Until the supervisor
 * registers in the store, a dispatcher reads from this file whether the supervisor is alive.
 */
import { identitySchema } from '../../core/run.ts'
import type { Identity } from '../../core/run.ts'
import { readFileSync } from '../../util/guarded-files.ts'
import type { Host } from '../../processes/identity.ts'
import { identify } from '../../processes/identity.ts'
import { writeWhole } from '../../runs/files/run-directory.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'

/**
 * Writes the file with the supervisor's identity. Errors are ignored, because the start deadline still applies without
 * the file.
 */
export async function noteSupervisor(directory: RunDirectory, host: Host, pid: number): Promise<void> {
  // If the supervisor has already ended, its start time is unknown. This placeholder matches no process, so the
  // supervisor counts as dead.
  const identity = identify(host, pid) ?? { ...host.machine, machine: host.machine.id, pid, startTime: 'unknown' }
  await writeWhole(directory.supervisor, `${JSON.stringify(identity)}\n`).catch(() => {})
}

/**
 * Reads the supervisor's identity from its file. Returns null if the supervisor was not started, or if the file could
 * not be written.
 */
export function readSupervisor(directory: RunDirectory): Identity | null {
  try {
    const read = identitySchema.safeParse(JSON.parse(readFileSync(directory.supervisor, 'utf8')))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
