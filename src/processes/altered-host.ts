/** The machine and its processes as a test wants them to look (config/test-world.ts). */
import type { TestWorld } from '../config/test-world.ts'
import type { MachineSource } from './machine.ts'
import type { ProcessInfo, ProcessTable } from './process-table.ts'

type World = () => TestWorld

export const alteredMachine = (source: MachineSource, world: World): MachineSource => ({
  systemId: () => world().systemId ?? source.systemId(),
  hostname: () => world().hostname ?? source.hostname(),
  bootId: () => world().bootId ?? source.bootId(),
  pidNamespace: () => world().pidNamespace ?? source.pidNamespace(),
})

export function alteredProcesses(table: ProcessTable, world: World): ProcessTable {
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
