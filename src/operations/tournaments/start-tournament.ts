/** Creates a tournament in one transaction. */
import { readModels } from '../../config/models.ts'
import { inHome } from '../../config/home.ts'
import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import type { BoardContext } from '../shared/operation.ts'
import { requireTournament, tournamentCards } from './build-tournament.ts'
import type { TournamentAsked } from './build-tournament.ts'

interface Started {
  readonly ids: readonly TaskId[]
  readonly created: boolean
  readonly differs: readonly string[]
}

export async function startTournament(
  { store, board, actor, options: { home } }: Pick<BoardContext, 'store' | 'board' | 'actor' | 'options'>,
  card: Parameters<typeof tournamentCards>[0],
  asked: TournamentAsked,
): Promise<Started> {
  requireTournament(card, asked)
  const picker = asked.pick ?? 'person'
  if (picker === 'judge') await requireJudge(home)
  const cards = tournamentCards(card, asked)
  const input = { tournament: { picker }, cards: [...cards] }
  const { ids, created, differs } = unwrap(await store.decide({ verb: 'create', board, actor, input }))
  return created ? { ids, created, differs } : { ids, created, differs: [...differs, ...(await otherAgents())] }

  async function otherAgents(): Promise<readonly string[]> {
    const agentsOf = (some: readonly { readonly assignee?: string | null }[]): string =>
      some
        .map(({ assignee }) => assignee ?? '')
        .toSorted((one, other) => (one < other ? -1 : 1))
        .join(' ')
    const entries = await store.tasksById(ids.slice(1))
    const isOther = entries.length === cards.length - 1 && agentsOf(entries) !== agentsOf(cards.slice(1))
    return isOther ? ['agents'] : []
  }
}

async function requireJudge(home: string): Promise<void> {
  const { choices } = await readModels(home)
  if (choices.judge !== undefined) return
  throw new BoardError(
    'invalid_input',
    `No model can judge the entries: set models.judge in ${inHome.config(home)}, or use --pick person.`,
    { details: { field: 'pick' } },
  )
}
