/**
 * Stores the machine id in the data folder. A restarted container has another pid namespace and often another host
 * name, but keeps its id through this file. If the data folder is copied to another system, the id is ignored there,
 * unless a person wrote the file without the `system` line. The file contains:
 *
 * - <id>
 * - system <hash of the system's own id>
 */
import { inHome } from '../config/home.ts'
import { readFileSync } from '../util/guarded-files.ts'
import type { Machine } from './machine.ts'
import { replaceFile } from '../util/replace-file.ts'

const LINES = /^([A-Za-z0-9_-]{4,64})(?:\s+system ([0-9a-f]+))?\s*$/

interface StoredId {
  readonly id: string
  readonly system: string | null
}

function readStoredId(home: string): StoredId | null {
  try {
    const [, id, system = null] = LINES.exec(readFileSync(inHome.machineId(home), 'utf8')) ?? []
    return id === undefined ? null : { id, system }
  } catch {
    return null
  }
}

const isValidOn = (stored: StoredId, { system }: Machine): boolean => stored.system === null || stored.system === system

/** Returns this machine, with the id from the data folder if that id is valid here. */
export function withStoredId(machine: Machine, home: string): Machine {
  const stored = readStoredId(home)
  return stored !== null && isValidOn(stored, machine) ? { ...machine, id: stored.id } : machine
}

/** Stores the id for the next start. Errors are ignored, because Muster also works without the file. */
export async function storeMachineId(machine: Machine, home: string): Promise<void> {
  const stored = readStoredId(home)
  if (machine.system === undefined || (stored !== null && isValidOn(stored, machine))) return
  await replaceFile(inHome.machineId(home), `${machine.id}\nsystem ${machine.system}\n`).catch(() => {})
}
