/**
 * The identity of a supervisor, written by the process that started it. Until the supervisor registers in the store, this
 * shows a dispatcher whether it is still starting or dead.
 */
import { identitySchema } from '../../core/run.ts'
import type { Identity } from '../../core/run.ts'
import { readFileSync } from '../../util/guarded-files.ts'
import type { Host } from '../../processes/identity.ts'
import { identify } from '../../processes/identity.ts'
import { writeWhole } from '../../runs/files/run-directory.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'

/** If the file cannot be written, the start deadline still applies. */
export async function noteSupervisor(directory: RunDirectory, host: Host, pid: number): Promise<void> {
  // A process that has already ended gets a start time that matches no process.
  const identity = identify(host, pid) ?? { ...host.machine, machine: host.machine.id, pid, startTime: 'unknown' }
  await writeWhole(directory.supervisor, `${JSON.stringify(identity)}\n`).catch(() => {})
}

/** Null when the supervisor was not started, or its file could not be written. */
export function readSupervisor(directory: RunDirectory): Identity | null {
  try {
    const read = identitySchema.safeParse(JSON.parse(readFileSync(directory.supervisor, 'utf8')))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
