/**
 * Connects the event stream with the query cache. An event makes queries stale, and a notice of new output changes the
 * running cards in the cache.
 */
import type { Query, QueryClient } from '@tanstack/react-query'
import { keys, staleKeys } from './keys.ts'
import { startLive } from './live.ts'
import type { Live } from './live.ts'
import type { FeedMessage, RunOutput } from '../../../src/client/index.ts'
import { notifyEvent } from './live-events.ts'
import { notifyOutput } from './live-outputs.ts'
import { isLive, liveState, takeReadWithoutStream } from './live-state.ts'
import { noteOutput } from './output-times.ts'
import { withOutputs } from './patch-output.ts'
import type { Columns } from './queries.ts'
import { makeRefresher, pageClock } from './refresh.ts'

/**
 * Whether a query reads the columns of a board, with or without filters. The keys of other queries of a board are
 * longer.
 */
const showsColumns = ({ queryKey }: Query): boolean => queryKey.length === 2 || queryKey[2] === 'columns'

export function startLiveCache(client: QueryClient): Live {
  const refresher = makeRefresher((queryKey) => client.invalidateQueries({ queryKey }), pageClock)
  const outputs = new Map<string, RunOutput>()

  const applyOutputs = (): void => {
    const byRun = new Map(outputs)
    outputs.clear()
    for (const board of new Set([null, ...[...byRun.values()].map((output) => output.board)]))
      client.setQueriesData<Columns>({ queryKey: keys.board(board), predicate: showsColumns }, (columns) =>
        columns === undefined ? undefined : withOutputs(columns, byRun),
      )
  }
  const takeOutput = (output: RunOutput): void => {
    if (outputs.size === 0) pageClock.nextFrame(applyOutputs)
    outputs.set(output.runId, output)
    noteOutput(output.runId)
    notifyOutput(output)
  }
  const take = (message: FeedMessage): void => {
    if (message.type === 'event') {
      refresher.add(staleKeys(message.event))
      notifyEvent(message.event)
    } else if (message.type === 'output') takeOutput(message.output)
    else void client.invalidateQueries()
  }
  const live = startLive(take)
  const forget = liveState.follow(() => {
    if (isLive() && takeReadWithoutStream()) void client.invalidateQueries()
  })
  return {
    stop() {
      forget()
      refresher.stop()
      live.stop()
    },
  }
}
