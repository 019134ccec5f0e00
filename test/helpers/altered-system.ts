/**
 * Replaces src/config/system.ts in the test build. A JSON file, which a variable names, alters the clock, the machine,
 * its processes and its disk. The file is read at every call, so a test can move the clock of a running process.
 */
import type { Environment } from '../../src/config/environment.ts'
import { ownEnvironment } from '../../src/config/environment.ts'
import type { MachineSource } from '../../src/processes/machine.ts'
import type { ProcessInfo, ProcessTable } from '../../src/processes/process-table.ts'
import { readFileSync } from '../../src/util/guarded-files.ts'

export const WORLD_VARIABLE = 'MUSTER_TEST_WORLD'

/** The changes of the system. Each key changes one part; a part without a key stays unchanged. */
export interface TestWorld {
  /** The milliseconds to add to the clock of the store, even if the store is on a PostgreSQL server. */
  readonly clockOffsetMs?: number
  readonly systemId?: string
  readonly hostname?: string
  readonly bootId?: string
  readonly pidNamespace?: string
  /** Changes of processes, by pid. Null hides the process, and an object changes its entry in the process table. */
  readonly processes?: Readonly<Record<string, { readonly startTime?: string; readonly zombie?: boolean } | null>>
  /** With `lost`, no process receives a signal. */
  readonly signals?: 'delivered' | 'lost'
  /**
   * With `full` and `over_quota`, files of a run cannot be written. With `over_quota`, the disk still has free space.
   */
  readonly disk?: 'writable' | 'full' | 'over_quota'
}

type ReadWorld = () => TestWorld

let path: string | null | undefined
let last: TestWorld = {}

function readWorld(): TestWorld {
  if (path === undefined) path = ownEnvironment()[WORLD_VARIABLE] ?? null
  if (path === null) return {}
  try {
    last = JSON.parse(readFileSync(path, 'utf8')) as TestWorld
  } catch {
    // If the file is missing or half written, the content that was read last still applies.
  }
  return last
}

export const clockShiftMs = (): number => readWorld().clockOffsetMs ?? 0

export const machineSource = (source: MachineSource): MachineSource => alterMachine(source, readWorld)

export const processTable = (table: ProcessTable): ProcessTable => alterProcesses(table, readWorld)

export function beforeWrite(file: string): void {
  const { disk = 'writable' } = readWorld()
  if (disk === 'writable') return
  const [code, words] = disk === 'full' ? ['ENOSPC', 'no space left on device'] : ['EDQUOT', 'disk quota exceeded']
  throw Object.assign(new Error(`${code}: ${words}, open '${file}'`), { code })
}

export const simulatesFullDisk = (): boolean => readWorld().disk === 'full'

export function passedVariables(env: Environment): Environment {
  const named = env[WORLD_VARIABLE]
  return named === undefined ? {} : { [WORLD_VARIABLE]: named }
}

export const alterMachine = (source: MachineSource, world: ReadWorld): MachineSource => ({
  systemId: () => world().systemId ?? source.systemId(),
  hostname: () => world().hostname ?? source.hostname(),
  bootId: () => world().bootId ?? source.bootId(),
  pidNamespace: () => world().pidNamespace ?? source.pidNamespace(),
})

export function alterProcesses(table: ProcessTable, world: ReadWorld): ProcessTable {
  const altered = (info: ProcessInfo | null): ProcessInfo | null => {
    const change = info === null ? undefined : world().processes?.[info.pid]
    return change === undefined || info === null ? info : change === null ? null : { ...info, ...change }
  }
  return {
    read: (pid) => altered(table.read(pid)),
    list: () => table.list().flatMap((info) => altered(info) ?? []),
    hasEnvironment: (pid, entry) => table.hasEnvironment(pid, entry),
    signal: (pid, signal) => {
      if (world().signals !== 'lost') table.signal(pid, signal)
    },
  }
}
