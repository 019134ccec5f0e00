/** Sweeps that were begun and whose folder went by other hands: nothing is left to do but to say that it is gone. */
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { sweepWorkspace } from './sweep-workspace.ts'
import type { Sweeper } from './sweep-workspace.ts'

export interface InterruptedSweeps {
  readonly sweeper: Sweeper & { readonly store: Pick<Store, 'engine' | 'runs' | 'sweeping'> }
  readonly board: string
  /** This one. */
  readonly machine: string
  /** The folders that are there: those are swept as usual. */
  readonly there: readonly string[]
  /** Younger sweeps may be another process's, which is at it. */
  readonly before: number
}

export async function finishInterruptedSweeps({
  sweeper,
  board,
  machine,
  there,
  before,
}: InterruptedSweeps): Promise<void> {
  const begun = await sweeper.store.sweeping(board, before)
  for (const id of begun.filter((one) => !there.includes(one)))
    if (await isOurs(sweeper.store, { board, id, machine })) await sweepWorkspace(sweeper, { board, id })
}

/** Where many machines share a store, the folder may be on another: on the one that worked on the card last. */
async function isOurs(
  store: Pick<Store, 'engine' | 'runs' | 'task'>,
  { board, id, machine }: { board: string; id: TaskId; machine: string },
): Promise<boolean> {
  if (store.engine === 'sqlite') return true
  const task = await store.task(board, id, { deleted: true })
  const machines = (await store.runs(board, id)).flatMap((run) => run.machine ?? [])
  return (task?.workspace.machine ?? machines.at(-1) ?? machine) === machine
}
