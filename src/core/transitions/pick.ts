/** Picks the winner of a tournament. The card of the tournament gets the winner's result; the losers are archived. */
import * as z from 'zod'
import { actorName, opensGates } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { line, runId, taskId, text } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import { isSatisfied } from '../status.ts'
import type { Task } from '../task.ts'
import { awaitsPick, hasFinished, judgePicks } from '../tournament/tournament.ts'
import type { Tournament } from '../tournament/tournament.ts'
import { findTask, isRefused, isRepeated, taskResult, workspaceSweeping } from './guards.ts'
import { applyPick } from './apply-pick.ts'

const input = z.object({
  task: taskId,
  entry: taskId,
  /** All entries of the tournament, because their rows must be locked. */
  entries: z.array(taskId),
  /** The id of the run that stores the hand-off of the winner. */
  runId,
  reason: text.nullable().default(null),
  /** The try of the judge that picked. Null if a person picks. */
  attempt: z.int().min(1).nullable().default(null),
  usage: z
    .object({
      model: line,
      inputTokens: z.int().nullable(),
      outputTokens: z.int().nullable(),
      costUsd: z.number().nullable(),
    })
    .nullable()
    .default(null),
})
type Input = z.infer<typeof input>

export const pick = defineVerb({
  name: 'pick',
  input,
  scope: ({ task, entries }) => ({ tasks: [task, ...entries], movesChildren: true }),
  facts: ({ input: { task, entry, runId: id } }) => ({
    lastAttempt: { fact: 'last_attempt' as const, task },
    existing: { fact: 'run_exists' as const, id },
    left: { fact: 'run_results' as const, task: entry },
  }),
  decide: (context) => {
    const { rows, facts, input: given, actor } = context
    const root = findTask(rows, given.task)
    if (isRefused(root)) return root
    if (isRepeated(root, facts.existing))
      return accept({ ...taskResult(root, root.status, { runId: given.runId }), stopping: [] as TaskId[] })
    const tournament = tournamentOf(root, given)
    if ('ok' in tournament) return tournament
    const refused =
      given.attempt === null
        ? refusePicker(root, tournament, context)
        : refuseJudge(root, tournament, { rows, given, attempt: given.attempt })
    if (refused) return refused
    const winner = findTask(rows, given.entry)
    if (isRefused(winner)) return winner
    if (!hasFinished(winner))
      return refuse('wrong_status', `Entry ${winner.id} is ${winner.status}: only an entry that is done can win.`, {
        id: winner.id,
        status: winner.status,
      })
    if (winner.workspace.state === 'sweeping') return workspaceSweeping(winner.id)
    return applyPick(context, {
      root,
      tournament,
      winner,
      left: facts.left,
      run: { id: given.runId, attempt: facts.lastAttempt + 1 },
      by: actorName(actor),
      reason: given.reason,
      usage: given.usage,
      isJudged: given.attempt !== null,
    })
  },
})

function tournamentOf(root: Task, { entry, entries }: Input): Tournament | Refused {
  const { id, status, tournament } = root
  if (tournament === null)
    return refuse('wrong_status', `Card ${id} is not a tournament. To finish it: muster complete ${id}`, { id, status })
  if (!awaitsPick(root)) {
    const winner = tournament.pick?.winner
    const found = isSatisfied(status) && winner !== undefined ? `${winner} has won` : `it is ${status}`
    return refuse('wrong_status', `Nothing to pick in ${id}: ${found}. To pick again: muster reopen ${id}`, {
      id,
      status,
      ...(winner === undefined ? {} : { winner }),
    })
  }
  if (!tournament.entries.includes(entry) || tournament.entries.some((one) => !entries.includes(one)))
    return refuse(
      'invalid_input',
      `${entry} is not an entry of ${id}. Its entries: ${tournament.entries.join(', ')}.`,
      {
        id,
        field: 'entry',
        entries: tournament.entries,
      },
    )
  return tournament
}

function refusePicker(root: Task, { picker }: Tournament, { actor }: { actor: Parameters<typeof opensGates>[0] }) {
  const details = { id: root.id }
  if (!opensGates(actor)) return refuse('not_allowed', `Only a person may pick the winner of ${root.id}.`, details)
  return actor.kind === 'person' || picker === 'judge'
    ? null
    : refuse('not_allowed', `A person picks the winner of ${root.id}. Comment on the card to suggest one.`, details)
}

interface JudgeTry {
  readonly rows: { readonly tasks: ReadonlyMap<TaskId, Task> }
  readonly given: Input
  readonly attempt: number
}

/** The pick of a judge counts only while nothing has changed since the judge was asked. */
function refuseJudge(root: Task, tournament: Tournament, { rows, given, attempt }: JudgeTry): Refused | null {
  const { judging } = tournament
  const isCurrent = judgePicks(tournament) && judging?.attempts === attempt && root.status === 'todo' && !root.held
  const seen = judging?.order ?? []
  const hasChanged = tournament.entries.some((id) => {
    const entry = rows.tasks.get(id)
    const isDone = entry?.status === 'done' && entry.deletedAt === null
    return isDone !== seen.includes(id)
  })
  return isCurrent && !hasChanged && seen.includes(given.entry)
    ? null
    : refuse('claim_lost', `The tournament ${root.id} changed while its judge decided.`, { id: root.id })
}
