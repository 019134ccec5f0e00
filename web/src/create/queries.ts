import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'

/** Reads the skills on this machine, including the skills of the repository around the folder. */
export const skillsQuery = (folder: string | null) =>
  queryOptions({
    queryKey: [...keys.agents, 'skills', folder],
    queryFn: ({ signal }) => client.skillsList({ folder }, { signal }),
  })
