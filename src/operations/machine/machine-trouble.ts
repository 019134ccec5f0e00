/** Finds faults that stop every card of this machine. A process that hangs cannot report such faults itself. */
import { hasNoSpace } from '../../config/free-space.ts'
import type { Obstacle } from '../../core/reasons/reason.ts'
import { leaseExpired, missedStart } from '../../core/limits/lease.ts'
import type { Run } from '../../core/run.ts'
import type { Store } from '../../storage/store.ts'
import { livenessOf } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'
import { runDirectory } from '../../runs/files/run-directory.ts'
import { readSupervisor } from '../../supervisor/start/started-supervisor.ts'
import type { DispatcherState } from './dispatcher-state.ts'

export type MachineTrouble = Extract<Obstacle, { readonly code: 'disk_full' | 'dispatcher_hung' }>

export async function machineTrouble(home: string, dispatcher: DispatcherState): Promise<readonly MachineTrouble[]> {
  const trouble: MachineTrouble[] = []
  if (await hasNoSpace(home)) trouble.push({ code: 'disk_full', params: { folder: home }, until: null })
  if (dispatcher.is === 'hung') {
    const { pid, since, suspended } = dispatcher
    trouble.push({ code: 'dispatcher_hung', params: { pid, since, suspended }, until: null })
  }
  return trouble
}

interface SupervisorCheck {
  readonly store: Pick<Store, 'engine'>
  readonly host: Host | null
  readonly home: string
  readonly now: number
}

/** Whether the supervisor of an open run has died. If the supervisor cannot be seen from here, its lease decides. */
export function hasLostSupervisor(run: Run, { store, host, home, now }: SupervisorCheck): boolean {
  if (run.kind !== 'agent' || run.endedAt !== null) return false
  const hasLapsed = leaseExpired(run, now)
  if (host === null || run.machine !== host.machine.id) return hasLapsed
  const supervisor = run.identity ?? readSupervisor(runDirectory(home, run.id))
  if (supervisor === null) return missedStart(run, now) && hasLostClaimer(run, { store, host })
  const liveness = livenessOf(host, supervisor, store)
  return liveness === 'unseen' ? hasLapsed : liveness === 'dead'
}

/**
 * Whether the process that claimed the card has died. A supervisor that has not registered yet can only start while
 * this process is alive.
 */
const hasLostClaimer = (
  { dispatcher }: Run,
  { store, host }: { store: SupervisorCheck['store']; host: Host },
): boolean => dispatcher !== null && livenessOf(host, dispatcher, store) === 'dead'
