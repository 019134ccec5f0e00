import { queryOptions } from '@tanstack/react-query'
import type { Outputs } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'

export type SeriesView = Outputs['recurList'][number]
export type SeriesDetails = Outputs['recurShow']

/** The series of all boards. */
export const seriesQuery = queryOptions({
  queryKey: keys.series,
  queryFn: ({ signal }) => client.recurList({ allBoards: true }, { signal }),
})

/** A series with its last cards. */
export const oneSeriesQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.series, id],
    queryFn: ({ signal }) => client.recurShow({ series: id }, { signal }),
  })
