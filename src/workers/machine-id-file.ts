/**
 * The id of a machine in the data folder. A container that is started anew has another pid namespace, and often another
 * host name: by this file it is still the same machine. A folder that was copied to another system does not make it the
 * same machine, unless a person wrote an id there.
 *   <id>
 *   system <what stands for the system's own id>     left out by a person who chooses the id
 */
import { inHome } from '../config/home.ts'
import { readFileSync } from '../util/guarded-files.ts'
import type { Machine } from './machine.ts'
import { writeWhole } from './run-directory.ts'

const LINES = /^([A-Za-z0-9_-]{4,64})(?:\s+system ([0-9a-f]+))?\s*$/

interface Kept {
  readonly id: string
  readonly system: string | null
}

function readKept(home: string): Kept | null {
  try {
    const [, id, system = null] = LINES.exec(readFileSync(inHome.machineId(home), 'utf8')) ?? []
    return id === undefined ? null : { id, system }
  } catch {
    return null
  }
}

const isOf = (kept: Kept, { system }: Machine): boolean => kept.system === null || kept.system === system

/** The machine under the id that its data folder keeps. */
export function withKeptId(machine: Machine, home: string): Machine {
  const kept = readKept(home)
  return kept !== null && isOf(kept, machine) ? { ...machine, id: kept.id } : machine
}

/** Keeps the id for the next start. A folder that cannot be written costs only this. */
export async function keepMachineId(machine: Machine, home: string): Promise<void> {
  const kept = readKept(home)
  if (machine.system === undefined || (kept !== null && isOf(kept, machine))) return
  await writeWhole(inHome.machineId(home), `${machine.id}\nsystem ${machine.system}\n`).catch(() => {})
}
