/** Faults that stop every card of this machine. The process that is stuck cannot report them itself. */
import { statfs } from 'node:fs/promises'
import type { Obstacle } from '../core/reason.ts'
import type { Run } from '../core/run.ts'
import { isAlive } from '../workers/identity.ts'
import type { Host } from '../workers/identity.ts'
import type { DispatcherState } from './dispatcher-state.ts'

/** With less than this, neither the store nor the files of a run can be written. */
const LEAST_FREE_BYTES = 1024 * 1024

export type MachineTrouble = Extract<Obstacle, { readonly code: 'disk_full' | 'dispatcher_hung' }>

export async function machineTrouble(home: string, dispatcher: DispatcherState): Promise<readonly MachineTrouble[]> {
  const trouble: MachineTrouble[] = []
  if (await isDiskFull(home)) trouble.push({ code: 'disk_full', params: { folder: home }, until: null })
  if (dispatcher.is === 'hung') {
    const { pid, since } = dispatcher
    trouble.push({ code: 'dispatcher_hung', params: { pid, since }, until: null })
  }
  return trouble
}

/** If the folder is missing or the system gives no figures, the disk counts as not full. */
async function isDiskFull(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => null)
  return found !== null && found.bavail * found.bsize < LEAST_FREE_BYTES
}

/** Whether an open run of this machine has lost the process that watches its agent. */
export const hasLostSupervisor = ({ kind, machine, identity, endedAt }: Run, host: Host | null): boolean =>
  host !== null &&
  kind === 'agent' &&
  endedAt === null &&
  machine === host.machine.id &&
  identity !== null &&
  !isAlive(host, identity)
