/** Brings a tournament up to date after its entries changed. The steps are in core/tournament/next-step.ts. */
import * as z from 'zod'
import { accept, defineVerb } from '../decision.ts'
import type { Accepted } from '../decision.ts'
import { runId, taskId } from '../input/fields.ts'
import { NOT_BLOCKED } from '../moves.ts'
import type { Task } from '../task.ts'
import { TOURNAMENT_NAME, awaitsPick, entryEnding, fieldOf, isWithoutEntries } from '../tournament/tournament.ts'
import type { Field, Tournament } from '../tournament/tournament.ts'
import { nextTournamentStep } from '../tournament/next-step.ts'
import { applyPick } from './apply-pick.ts'
import type { Picked } from './apply-pick.ts'
import { findTask, isRefused, wrongStatus } from './guards.ts'

interface Followed {
  readonly changed: boolean
}

const entriesIn = (tasks: ReadonlyMap<Task['id'], Task>, entries: readonly Task['id'][]): Task[] =>
  entries.flatMap((id) => tasks.get(id) ?? [])

export const followTournament = defineVerb({
  name: 'follow_tournament',
  input: z.object({ task: taskId, entries: z.array(taskId), runId }),
  scope: ({ task, entries }) => ({ tasks: [task, ...entries], movesChildren: true }),
  facts: ({ rows, input: { task, entries } }) => ({
    lastAttempt: { fact: 'last_attempt' as const, task },
    left: { fact: 'run_results' as const, task: fieldOf(entriesIn(rows.tasks, entries)).passed[0]?.id ?? null },
  }),
  decide: (context) => {
    const { rows, facts, input, now } = context
    const root = findTask(rows, input.task)
    if (isRefused(root)) return root
    const { tournament } = root
    if (tournament === null || !awaitsPick(root)) return wrongStatus(root, 'follow', 'tournaments without a result')
    const entries = entriesIn(rows.tasks, tournament.entries)
    const field = fieldOf(entries)
    switch (nextTournamentStep(root, entries)) {
      case 'resume':
        return resume(root)
      case 'block':
        return block(root, field)
      case 'ask':
        return ask(root, tournament, field, now)
      case 'finish':
        return finish(context, { root, tournament, winner: field.passed[0], facts, runId: input.runId })
      case 'judge':
      case null:
        return unchanged()
    }
  },
})

const unchanged = (): Accepted<Followed> => accept({ changed: false })

interface Only {
  readonly root: Task
  readonly tournament: Tournament
  readonly winner: Task | undefined
  readonly facts: { readonly lastAttempt: number; readonly left: Picked['left'] }
  readonly runId: Picked['run']['id']
}

function finish(
  around: Parameters<typeof applyPick>[0],
  { root, tournament, winner, facts: { lastAttempt, left }, runId: id }: Only,
): Accepted<Followed> {
  if (winner === undefined) return unchanged()
  const how = { by: TOURNAMENT_NAME, reason: 'It is the only entry that finished.', usage: null, isJudged: false }
  const run = { id, attempt: lastAttempt + 1 }
  return accept({ changed: true }, applyPick(around, { root, tournament, winner, left, run, ...how }))
}

/** Ends the block by the board, or the wait for a person. */
function resume(root: Task): Accepted<Followed> {
  const isBlocked = isWithoutEntries(root)
  return accept(
    { changed: true },
    {
      changes: [
        {
          op: 'update_task',
          id: root.id,
          patch: { pickSince: null, ...(isBlocked ? { ...NOT_BLOCKED, status: 'todo' } : {}) },
        },
      ],
      events: isBlocked
        ? [{ kind: 'unblocked', taskId: root.id, data: { status: 'todo', reason: 'an entry is playing again' } }]
        : [],
    },
  )
}

function ask(root: Task, { entries }: Tournament, { passed }: Field<Task>, now: number): Accepted<Followed> {
  const finished = passed.map(({ id }) => id)
  return accept(
    { changed: true },
    {
      changes: [{ op: 'update_task', id: root.id, patch: { ...NOT_BLOCKED, status: 'todo', pickSince: now } }],
      events: [
        {
          kind: 'pick_needed',
          taskId: root.id,
          data: { passed: finished, out: entries.filter((id) => !finished.includes(id)) },
        },
      ],
    },
  )
}

/** The block does not count as a loop, because the board itself ends it when an entry can win again. */
function block(root: Task, { out }: Field<Task>): Accepted<Followed> {
  const reason = `No entry is left: ${out.length === 0 ? 'all were removed' : out.map(entryEnding).join('; ')}`
  return accept(
    { changed: true },
    {
      changes: [
        {
          op: 'update_task',
          id: root.id,
          patch: {
            status: 'blocked',
            blockKind: 'capability',
            blockReason: reason,
            blockedBy: TOURNAMENT_NAME,
            resumeStatus: null,
            pickSince: null,
          },
        },
      ],
      events: [
        { kind: 'blocked', taskId: root.id, data: { kind: 'capability', reason, from: 'todo', recurrences: 1 } },
      ],
    },
  )
}
