/**
 * One pass, as a list of steps. Ended runs come first, because they free slots and wake cards for later steps. New runs
 * start last, when all reasons against a start are known.
 */
import { assignDefaults } from './assign-defaults.ts'
import { pauseBursts } from './burst.ts'
import type { LeaderContext } from './dispatch-context.ts'
import { endUnknownRuns } from './recovery/end-unknown-runs.ts'
import { followTournaments } from './follow-tournaments.ts'
import { findLanes } from './lanes/lanes.ts'
import { launch } from './launch.ts'
import { recordLateWrites } from './recovery/record-late-writes.ts'
import { recover } from './recovery/recover.ts'
import { reopenAccounts } from './reopen-accounts.ts'
import type { DispatchReport } from './report.ts'
import { runDueSeries } from './run-due-series.ts'
import { emptyReport, settledBuckets, summarised } from './report.ts'
import { wakeDueCards } from './wake.ts'

export async function tick(context: LeaderContext): Promise<DispatchReport> {
  const unknownRuns = await endUnknownRuns(context)
  const recovered = await recover(context)
  await recordLateWrites(context)
  const boards = await context.store.boards()
  await pauseBursts(context, boards)
  await reopenAccounts(context, boards)
  const woken = await wakeDueCards(context)
  await runDueSeries(context)
  await followTournaments(context)
  const lanes = await findLanes(context, boards)
  const autoAssigned = await assignDefaults(context, lanes, boards)
  const staffed = autoAssigned.length === 0 ? lanes : await findLanes(context, boards)
  const launched = await launch(context, staffed, unknownRuns)
  return {
    ...emptyReport(),
    ...launched,
    ...settledBuckets(recovered.settled),
    woken: [...woken],
    autoAssigned,
    ...summarised([...recovered.deferred, ...launched.deferred]),
  }
}
