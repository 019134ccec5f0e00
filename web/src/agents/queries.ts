import { queryOptions } from '@tanstack/react-query'
import type { Outputs } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { noteServerTime } from '../api/server-clock.ts'

type Roster = Outputs['roster']
export type Member = Roster['agents'][number]
export type Pause = NonNullable<Member['pause']>
export type Quota = NonNullable<Member['quota']>

export const rosterQuery = queryOptions({
  queryKey: keys.roster,
  async queryFn({ signal }) {
    const roster = await client.roster({}, { signal })
    noteServerTime(roster.now)
    return roster
  },
})

/** Reads the instruction of an agent, which the roster leaves out. */
export const instructionQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.agents, 'show', name],
    queryFn: async ({ signal }) => (await client.agentsShow({ name }, { signal })).instruction,
  })
