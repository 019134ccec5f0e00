import { BoardError } from '../../core/errors.ts'
import { isBlocked } from '../../core/status.ts'
import type { Task } from '../../core/task.ts'
import { cut } from '../../core/text.ts'
import { awaitsPick, entryState, hasFinished } from '../../core/tournament/tournament.ts'
import type { CardSpent, CardWork, Store } from '../../storage/store.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import type { TournamentView } from './views.ts'

/** The longest text of an entry in the comparison. The page of the entry has the whole text. */
const TEXT_LENGTH = 4_000

export const showTournament = defineOperation({
  name: 'tournament',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'Compare the entries of a tournament.',
  schemas: ({ z, cardRef, tournamentView }) => ({ input: z.object({ task: cardRef }), output: tournamentView }),
  run: async ({ store }, { task: typed }) =>
    viewTournament(store, await cardNow(store, await resolveTask(store, typed))),
})

async function viewTournament(store: Store, root: Task): Promise<TournamentView> {
  const { id, status, tournament } = root
  if (tournament === null) throw new BoardError('wrong_status', `Card ${id} is not a tournament.`, { details: { id } })
  const [found, { work, spent }] = await Promise.all([
    store.tasksById(tournament.entries),
    store.cardHistories(tournament.entries),
  ])
  const summaries = await store.handOffs(root.board, id)
  const byId = new Map(found.map((entry) => [entry.id, entry]))
  const entries = tournament.entries.flatMap((entryId) => {
    const entry = byId.get(entryId)
    if (entry === undefined) return []
    return [
      viewEntry(root, entry, {
        work: work.find(({ taskId }) => taskId === entryId),
        spent: spent.find((one) => one.id === entryId),
        summary: summaries.find(({ task }) => task.id === entryId)?.summary ?? entry.result,
      }),
    ]
  })
  const { picker, judging, pick } = tournament
  return { id, status, picker, failure: judging?.failure ?? null, pick, entries }
}

interface History {
  readonly work: CardWork | undefined
  readonly spent: CardSpent | undefined
  readonly summary: string | null
}

function viewEntry(root: Task, entry: Task, { work, spent, summary }: History): TournamentView['entries'][number] {
  const { id, title, assignee: agent, status, branch, blockReason } = entry
  const isOpen = awaitsPick(root)
  const hasWon = root.tournament?.pick?.winner === id
  const { checks, changes } = work ?? { checks: null, changes: null }
  return {
    id,
    title,
    agent,
    status,
    state: isOpen ? entryState(entry) : hasWon ? 'won' : 'lost',
    canWin: isOpen && hasFinished(entry),
    reason: isBlocked(status) && blockReason !== null ? cut(blockReason, TEXT_LENGTH) : null,
    checks:
      checks === null || checks.output === null
        ? null
        : {
            passed: checks.passedAt !== null,
            ran: checks.ran ?? checks.passed?.length ?? 0,
            output: cut(checks.output, TEXT_LENGTH),
          },
    changes: changes === null ? null : { files: changes.files, added: changes.added, removed: changes.removed },
    attempts: spent?.attempts ?? 0,
    costUsd: spent?.costUsd ?? null,
    durationMs: spent?.durationMs ?? 0,
    summary: summary === null ? null : cut(summary, TEXT_LENGTH),
    branch,
  }
}
