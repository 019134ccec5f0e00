/** Finishes interrupted sweeps whose folder no longer exists. */
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { sweepWorkspace } from './sweep-workspace.ts'
import type { Sweeper } from './sweep-workspace.ts'

export interface InterruptedSweeps {
  readonly sweeper: Sweeper & { readonly store: Pick<Store, 'engine' | 'runs' | 'sweeping'> }
  readonly board: string
  /** The id of this machine. */
  readonly machine: string
  /** The folders that exist. The regular clean-up handles their cards, so they are left out here. */
  readonly existing: readonly string[]
  /**
   * The time before which a removal must have begun to be finished here. Another process may still be working on a
   * later removal.
   */
  readonly before: number
}

export async function finishInterruptedSweeps({
  sweeper,
  board,
  machine,
  existing,
  before,
}: InterruptedSweeps): Promise<void> {
  const interrupted = await sweeper.store.sweeping(board, before)
  for (const id of interrupted.filter((one) => !existing.includes(one)))
    if (await isOurs(sweeper.store, { board, id, machine })) await sweepWorkspace(sweeper, { board, id })
}

/**
 * Whether the card's folder was on this machine. With PostgreSQL, the folder may be on the machine that last worked on
 * the card.
 */
async function isOurs(
  store: Pick<Store, 'engine' | 'runs' | 'task'>,
  { board, id, machine }: { board: string; id: TaskId; machine: string },
): Promise<boolean> {
  if (store.engine === 'sqlite') return true
  const task = await store.task(board, id, { deleted: true })
  const machines = (await store.runs(board, id)).flatMap((run) => run.machine ?? [])
  return (task?.workspace.machine ?? machines.at(-1) ?? machine) === machine
}
