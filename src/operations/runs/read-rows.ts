import type { Store } from '../../storage/store.ts'
import type { Options } from '../../config/load.ts'
import { defineOperation } from '../shared/operation.ts'
import { findLog } from './find-log.ts'
import type { FoundLog, LogQuery } from './find-log.ts'
import { openTranscript } from './transcript-log.ts'
import type { TranscriptLog } from './transcript-log.ts'
import { findRows } from './find-rows.ts'
import type { RowFilter } from './row-views.ts'
import { rowsShown } from './select-rows.ts'

export const readRows = defineOperation({
  name: 'transcript-rows',
  kind: 'query',
  actor: 'person',
  scope: 'card',
  summary: 'Show a part of the transcript of a run, as rows.',
  schemas: ({ z, cardRef, rowsView, ROW_FILTERS, runField }) => ({
    input: z.object({
      task: cardRef,
      ...runField,
      from: z.int().min(0).exactOptional().describe('The position of the first row (default: the last rows)'),
      limit: z.int().min(0).max(500).default(100),
      show: z.enum(ROW_FILTERS).default('all'),
      find: z.string().max(200).exactOptional().describe('List the rows with this text'),
    }),
    output: rowsView,
  }),
  run: async ({ store, options }, { from, limit, show, find, ...asked }) => {
    const { run, log } = await currentTranscript(store, { ...asked, show }, options)
    const { settled } = log
    const shown = rowsShown(log.rows, show)
    const first = Math.min(from ?? Infinity, Math.max(0, shown.length - (from === undefined ? limit : 0)))
    const page = await log.read(shown.slice(first, first + limit))
    return {
      run: run.id,
      isLive: run.endedAt === null,
      total: shown.length,
      settled: firstAtLeast(shown, settled),
      from: first,
      rows: page.map(({ n, at, content }) => ({ n, at, ...content })),
      matches: find === undefined || find === '' ? null : await findRows(log, shown, find),
    }
  },
})

/** Reads the current rows of the run. */
export async function currentTranscript(
  store: Store,
  { show, ...asked }: Pick<LogQuery, 'task' | 'run'> & { readonly show: RowFilter },
  options: Pick<Options, 'home'>,
): Promise<{ readonly run: FoundLog['run']; readonly log: TranscriptLog }> {
  const { run, path } = await findLog(store, asked, options)
  const [log, events] = await Promise.all([
    openTranscript(path, { isRaw: show === 'raw' }),
    store.taskEvents(run.board, run.taskId),
  ])
  await log.refresh(
    run,
    events.filter(({ runId }) => runId === run.id),
  )
  return { run, log }
}

/** The first position whose row is at least `row`. The list is sorted. */
function firstAtLeast(shown: readonly number[], row: number): number {
  let [low, high] = [0, shown.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shown[middle] ?? 0) < row) low = middle + 1
    else high = middle
  }
  return low
}
