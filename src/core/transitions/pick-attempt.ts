/** Records the tries of the judge to pick the winner of a tournament. */
import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Accepted, Refused, ScopeRows } from '../decision.ts'
import { judgeUsageSchema } from '../input/tournament-input.ts'
import { duration, taskId, text } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import type { Task } from '../task.ts'
import { addJudgeUsage } from '../tournament/judge-usage.ts'
import { JUDGE_LEASE_MS, JUDGE_TRIES, nextJudgeAt } from '../tournament/judge-times.ts'
import { fieldOf, judgePicks } from '../tournament/tournament.ts'
import type { Judging, Tournament } from '../tournament/tournament.ts'
import { findTask, isRefused } from './guards.ts'

/** Begins a try, unless the tournament is not due for the judge. */
export const beginPick = defineVerb({
  name: 'begin_pick',
  input: z.object({
    task: taskId,
    entries: z.array(taskId),
    /** The finished entries in random order. */
    order: z.array(taskId),
  }),
  scope: ({ task, entries }) => ({ tasks: [task, ...entries] }),
  decide: ({ rows, input: { task: id, order }, now }) => {
    const judged = judgedTournament(rows, id)
    if ('ok' in judged) return judged
    const { root, tournament } = judged
    const { playing, passed } = fieldOf(tournament.entries.flatMap((entry) => rows.tasks.get(entry) ?? []))
    const isSame = passed.length === order.length && passed.every((entry) => order.includes(entry.id))
    const before = tournament.judging
    if (playing.length > 0 || !isSame || order.length < 2 || root.held || (before?.after ?? 0) > now) return notDue(id)
    if (before !== null && before.attempts >= JUDGE_TRIES) return giveUp({ root, tournament, before, now })
    const attempt = (before?.attempts ?? 0) + 1
    const judging = {
      attempts: attempt,
      failures: before?.failures ?? 0,
      after: now + JUDGE_LEASE_MS,
      order,
      failure: before?.failure ?? null,
      usage: before?.usage ?? null,
    }
    return accept<{ readonly attempt: number | null }>(
      { attempt },
      { changes: [{ op: 'update_task', id, patch: { tournament: { ...tournament, judging } } }] },
    )
  },
})

/** Too many tries were interrupted, so a person picks. */
function giveUp({ root, tournament, before, now }: Judged & { readonly before: Judging; readonly now: number }) {
  const reason = `The judge began ${before.attempts} times and never finished.`
  return accept<{ readonly attempt: number | null }>(
    { attempt: null },
    {
      changes: [
        {
          op: 'update_task',
          id: root.id,
          patch: {
            tournament: { ...tournament, picker: 'person', judging: { ...before, failure: reason } },
            pickSince: now,
          },
        },
      ],
      events: [{ kind: 'pick_failed', taskId: root.id, data: { reason, attempt: before.attempts, retryAt: null } }],
    },
  )
}

/** Renews a try while its machine waits for the answer, or gives the try back without a failure. */
export const renewPick = defineVerb({
  name: 'renew_pick',
  input: z.object({
    task: taskId,
    attempt: z.int().min(1),
    /** The wait before the next try may begin. Null means that this try continues. */
    releaseMs: duration.nullable().default(null),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input: { task: id, attempt, releaseMs }, now }): Accepted<{ after: number }> | Refused => {
    const judged = judgedTournament(rows, id)
    if ('ok' in judged) return judged
    const { tournament } = judged
    const before = tournament.judging
    if (before?.attempts !== attempt) return notDue(id)
    const after = now + (releaseMs ?? JUDGE_LEASE_MS)
    return accept(
      { after },
      { changes: [{ op: 'update_task', id, patch: { tournament: { ...tournament, judging: { ...before, after } } } }] },
    )
  },
})

/** Ends a try that picked no winner. After the last try, a person picks. */
export const failPick = defineVerb({
  name: 'fail_pick',
  input: z.object({
    task: taskId,
    attempt: z.int().min(1),
    reason: text,
    /** Whether another try could succeed without a change of the settings. */
    mayRecover: z.boolean(),
    /** The wait before the first retry. */
    retryMs: duration.default(5_000),
    usage: judgeUsageSchema.nullable().default(null),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input: { task: id, attempt, reason, mayRecover, retryMs, usage }, now }) => {
    const judged = judgedTournament(rows, id)
    if ('ok' in judged) return judged
    const { tournament } = judged
    const before = tournament.judging
    if (before?.attempts !== attempt) return notDue(id)
    const failures = before.failures + 1
    const retryAt = mayRecover ? nextJudgeAt(failures, now, retryMs) : null
    const spent = addJudgeUsage(before.usage, usage)
    const judging = { ...before, failures, after: retryAt ?? now, failure: reason, usage: spent }
    const person = retryAt === null ? ({ picker: 'person' } as const) : {}
    return accept(
      { retryAt },
      {
        changes: [
          {
            op: 'update_task',
            id,
            patch: {
              tournament: { ...tournament, ...person, judging },
              ...(retryAt === null ? { pickSince: now } : {}),
            },
          },
        ],
        events: [{ kind: 'pick_failed', taskId: id, data: { reason, attempt, retryAt } }],
      },
    )
  },
})

const notDue = (id: TaskId): Refused => refuse('claim_lost', `Card ${id} does not wait for its judge.`, { id })

interface Judged {
  readonly root: Task
  readonly tournament: Tournament
}

function judgedTournament(rows: ScopeRows, id: TaskId): Judged | Refused {
  const root = findTask(rows, id)
  if (isRefused(root)) return root
  const { tournament, status } = root
  return tournament === null || status !== 'todo' || !judgePicks(tournament) ? notDue(id) : { root, tournament }
}
