/** Reads the rows of a run and updates them while they are visible. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client } from '../../api/client.ts'
import { useLive } from '../../api/use-live.ts'
import { useOutputs } from '../../api/live-outputs.ts'
import { useSettled } from '../../app-state/use-settled.ts'
import { useValue } from '../../app-state/use-value.ts'
import type { CardDetails } from '../card-details.ts'
import { RowPages } from './row-pages.ts'
import type { PagesState } from './row-pages.ts'

export type RowsShown = 'all' | 'messages' | 'changes' | 'raw'

export interface RowsSource {
  readonly task: string
  readonly run: string
  readonly show: RowsShown
}

export function useRows(
  source: RowsSource,
  card: CardDetails,
): { readonly pages: RowPages; readonly state: PagesState } {
  const [pages] = useState(
    () => new RowPages((asked, signal) => client.transcriptRows({ ...source, ...asked }, { signal })),
  )
  const isConnected = useLive().is === 'live'
  // Each event of a card replaces the card object, which triggers this refresh. So output from the time of a lost
  // connection is found too.
  useEffect(() => {
    pages.refresh()
  }, [pages, card, isConnected])
  useOutputs(({ runId }) => {
    if (runId === source.run) pages.refresh()
  })
  return { pages, state: useValue(pages.state) }
}

/** The minimum time between two searches in a growing log. */
const REPEAT_MS = 1_000
const TYPING_MS = 200

/** Returns the rows that contain a text, by their numbers. Null while they are unknown. */
export function useMatches(source: RowsSource, find: string, total: number): readonly number[] | null {
  const text = useSettled(find.trim(), TYPING_MS)
  const size = useSettled(total, REPEAT_MS)
  const cache = useQueryClient()
  const key = ['transcript', source.run, source.show, text]
  const { data } = useQuery({
    queryKey: [...key, size],
    queryFn: async ({ signal }) =>
      (await client.transcriptRows({ ...source, find: text, limit: 0 }, { signal })).matches ?? [],
    enabled: text !== '',
    gcTime: 0,
    placeholderData: () => cache.getQueriesData<readonly number[]>({ queryKey: key }).at(-1)?.[1],
  })
  return text === '' || text !== find.trim() ? null : (data ?? null)
}
