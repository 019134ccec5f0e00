import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskId } from '../../../src/core/ids.ts'
import type { StoreLocation } from '../../../src/storage/location.ts'
import { openStore } from '../../../src/storage/open.ts'
import type { Store } from '../../../src/storage/store.ts'
import type { WriteInput } from '../../fixtures/store-worker-jobs.ts'
import { BOARD } from '../places.ts'
import { withWorkers } from '../processes.ts'
import { createCards, examined, percentile, unless } from './proof.ts'
import type { Proof } from './proof.ts'

/**
 * Many processes write to one store. Two of them open and close it around every write, as the CLI does; all others keep
 * it open. This process keeps it open too (`store`). It writes now and then, and once more after the other processes
 * have ended. If the close of another process dropped the locks of this process, these writes would be lost.
 */
export async function proveBusy(
  location: StoreLocation,
  store: Store,
  { processes, seconds }: { processes: number; seconds: number },
): Promise<Proof> {
  const own: TaskId[] = await createCards(store, 1)
  const reports = await withWorkers(location, processes, async (workers) => {
    const writing = workers.map((worker, at) => worker.run('write', at < 2 ? COMMAND_LINE : SERVER))
    for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(50))
      own.push(...(await createCards(store, 1)))
    for (const worker of workers) worker.stop()
    return Promise.all(writing)
  })
  own.push(...(await createCards(store, 1)))

  const reader = await openStore(location, { mode: 'read' })
  const present = new Map((await reader.tasks(BOARD)).map((task) => [task.id, task.status]))
  const faults = await examined(reader)
  await reader.close()
  const created = [...own, ...reports.flatMap((report) => report.created)]
  const completed = reports.flatMap((report) => report.completed)
  const commitMs = reports.flatMap((report) => report.commitMs)
  faults.push(
    ...created.filter((id) => !present.has(id)).map((id) => `${id} was written and is missing`),
    ...completed.filter((id) => present.get(id) !== 'done').map((id) => `${id} was completed and is not done`),
    ...unless(present.size === created.length, `${present.size} cards exist, ${created.length} were written`),
    ...unless(
      reports.every((report) => report.created.length > 0),
      'a process never wrote',
    ),
  )
  return {
    figures: {
      processes: processes + 1,
      seconds,
      commits: commitMs.length,
      'p99 ms': percentile(commitMs, 0.99).toFixed(1),
      'worst ms': Math.max(...commitMs).toFixed(1),
      lost: faults.length,
    },
    faults,
  }
}

const SERVER: WriteInput = { completes: true, callers: 2 }
const COMMAND_LINE: WriteInput = { reopens: true, pauseMs: 10 }
