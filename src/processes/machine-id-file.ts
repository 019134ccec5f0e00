/**
 * The file in the data folder with the id of this machine. A restarted container has another pid namespace and often
 * another host name; this file keeps its id. The id is ignored if the folder was copied to another system, unless a person
 * chose it (no `system` line).
 *   <id>
 *   system <hash of the system's own id>
 */
import { inHome } from '../config/home.ts'
import { readFileSync } from '../util/guarded-files.ts'
import type { Machine } from './machine.ts'
import { replaceFile } from '../util/replace-file.ts'

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

/** The machine with the id that its data folder stores, if that is valid here. */
export function withKeptId(machine: Machine, home: string): Machine {
  const kept = readKept(home)
  return kept !== null && isOf(kept, machine) ? { ...machine, id: kept.id } : machine
}

/** Stores the id for the next start. If the folder cannot be written, the machine works without it. */
export async function keepMachineId(machine: Machine, home: string): Promise<void> {
  const kept = readKept(home)
  if (machine.system === undefined || (kept !== null && isOf(kept, machine))) return
  await replaceFile(inHome.machineId(home), `${machine.id}\nsystem ${machine.system}\n`).catch(() => {})
}
