/**
 * One pass, as a list of steps. What ended comes first: it frees places and wakes cards for the steps after it; and what
 * must not start any more is known before anything does.
 */
import { assignDefaults } from './assign-defaults.ts'
import { pauseBursts } from './burst.ts'
import type { Leading } from './dispatching.ts'
import { endStrays } from './end-strays.ts'
import { findLanes } from './lanes.ts'
import { launch } from './launch.ts'
import { recordLateWrites } from './record-late-writes.ts'
import { recover } from './recover.ts'
import { reopenAccounts } from './reopen.ts'
import type { DispatchReport } from './report.ts'
import { emptyReport, settledBuckets, summarised } from './report.ts'
import { wake } from './wake.ts'

export async function tick(leading: Leading): Promise<DispatchReport> {
  const strays = await endStrays(leading)
  const recovered = await recover(leading)
  await recordLateWrites(leading)
  const boards = await leading.store.boards()
  await pauseBursts(leading, boards)
  await reopenAccounts(leading, boards)
  const woken = await wake(leading)
  const lanes = await findLanes(leading, boards)
  const autoAssigned = await assignDefaults(leading, lanes, boards)
  const staffed = autoAssigned.length === 0 ? lanes : await findLanes(leading, boards)
  const launched = await launch(leading, staffed, strays)
  return {
    ...emptyReport(),
    ...launched,
    ...settledBuckets(recovered.settled),
    woken: [...woken],
    autoAssigned,
    ...summarised([...recovered.deferred, ...launched.deferred]),
  }
}
