import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'

export const healthQuery = queryOptions({
  queryKey: [...keys.summary, 'health'],
  queryFn: ({ signal }) => client.health({}, { signal }),
})
