/** One pass, as a list of steps. What ended comes first: it frees places and wakes cards for the steps after it. */
import type { Leading } from './dispatching.ts'
import { launch } from './launch.ts'
import { recover } from './recover.ts'
import type { DispatchReport } from './report.ts'
import { settledBuckets, summarised } from './report.ts'
import { wake } from './wake.ts'

export async function tick(leading: Leading): Promise<DispatchReport> {
  const recovered = await recover(leading)
  const woken = await wake(leading)
  const launched = await launch(leading)
  return {
    ...launched,
    ...settledBuckets(recovered.settled),
    woken: [...woken],
    ...summarised([...recovered.deferred, ...launched.deferred]),
  }
}
