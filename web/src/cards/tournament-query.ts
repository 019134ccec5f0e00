import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'

export type TournamentView = Awaited<ReturnType<typeof client.tournament>>
export type EntryView = TournamentView['entries'][number]

/** The entries are other cards, so each event of the board reads them again. */
export const tournamentQuery = ({ board, id }: { readonly board: string; readonly id: string }) =>
  queryOptions({
    queryKey: [...keys.board(board), 'tournament', id],
    queryFn: ({ signal }) => client.tournament({ task: id }, { signal }),
  })
