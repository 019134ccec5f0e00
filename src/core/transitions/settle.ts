/**
 * Closes a run in one transaction, after its processes are gone. The first of these that exists decides the outcome: a
 * command of a person on the card, the worker's verdict if its checks passed, the way in which the processes ended.
 */
import type { z } from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, Refused, ScopeRows } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import { usageWithJudge } from '../goal.ts'
import { mentionedTaskIds } from '../ids.ts'
import { dispatches, leaseExpired, owns } from '../limits/lease.ts'
import { superseded, supersededWithoutCard } from './guards.ts'
import type { Changes, Run, Verdict } from '../run.ts'
import { areInOneSwarm } from '../swarm.ts'
import type { Task, TaskPatch } from '../task.ts'
import { NO_FILES, freshWorkspace } from '../gates/workspace-gates.ts'
import { misplacedVerdict } from './run-life.ts'
import { closeRun } from './runs.ts'
import { awaitsNewChecks } from './settlement/settle-context.ts'
import type { SettleContext, Settlement } from './settlement/settle-context.ts'
import { accountMove, accountOf } from './settlement/account.ts'
import { conclude } from './settlement/conclude.ts'
import { settleInput } from './settlement/input.ts'
import { applyIntent } from './settlement/intent.ts'

/**
 * How many attempts to read. The number is fixed, so that the store can prepare the query before it reads the board's
 * settings.
 */
const ATTEMPTS_READ = 1_000

export const settle = defineVerb({
  name: 'settle',
  input: settleInput,
  scope: ({ task, by, account, workers }) => ({
    tasks: workers.length === 0 ? [task] : [task, ...workers.map((worker) => worker.task)],
    movesChildren: true,
    account,
    ...('machine' in by ? { dispatcher: { machine: by.machine, access: 'read' } } : {}),
  }),
  facts: ({ rows, board, input: { task, verdict: fromFile } }) => {
    const verdict = rows.runs.get(task)?.verdict ?? fromFile
    const claimed = verdict?.kind === 'complete' ? verdict.createdCards : []
    const mentioned =
      verdict?.kind === 'complete' ? mentionedTaskIds(`${verdict.summary ?? ''}\n${verdict.result ?? ''}`) : []
    return {
      attemptStarts: {
        fact: 'attempt_starts' as const,
        task,
        most: Math.max(board.settings.attemptsLimit, ATTEMPTS_READ),
      },
      cards: { fact: 'cards' as const, ids: [...new Set([...claimed, ...mentioned])] },
      children: { fact: 'children_among' as const, parent: task, ids: claimed },
    }
  },
  decide: ({ rows, board, facts, input, now }) => {
    const { task: id, runId, by: _, ...content } = input
    const task = rows.tasks.get(id)
    const late = { fence: { runId }, verb: 'settle', content }
    if (task === undefined) return supersededWithoutCard(id, late)
    const run = rows.runs.get(task.id)
    if (!run || run.id !== runId || !maySettle(run, input.by, rows, now)) return superseded(task, late)
    const live = refuseLive(run, input.by, now)
    if (live) return live
    const verdict = run.verdict ?? acceptedVerdict(task, run, input.verdict)
    const account = input.account === run.account ? accountOf(rows, run, now) : null
    const since = Math.max(now - board.settings.attemptsWindowMs, task.attemptsSince)
    const recentAttempts = facts.attemptStarts.filter((startedAt) => startedAt > since).length
    const context: SettleContext = {
      task,
      run,
      verdict,
      input,
      settings: board.settings,
      now,
      facts,
      account,
      recentAttempts,
      workers: workersOf(task, input.workers, rows),
    }
    if ('fence' in input.by && awaitsNewChecks(context))
      return refuse('checks_required', `Card ${task.id} has checks that have not run yet.`, { id: task.id })
    const end = run.intent ? applyIntent(context, run.intent) : conclude(context)
    return accept(
      { runId: run.id, taskId: task.id, outcome: end.outcome, status: end.move.patch.status ?? task.status },
      withRejectedVerdict(written(context, end), run, verdict === null ? input.verdict : null),
    )
  },
})

/** Returns the verdict from a file, if it passes the same check as a verdict that the worker sent to the store. */
const acceptedVerdict = (task: Task, run: Run, verdict: Verdict | null): Verdict | null =>
  verdict === null || misplacedVerdict(task, run, verdict) !== null ? null : verdict

/** The rows of the workers of the swarm that this card verifies. Workers that were removed for good have no row. */
const workersOf = (
  card: Task,
  workers: z.infer<typeof settleInput>['workers'],
  { tasks }: ScopeRows,
): SettleContext['workers'] =>
  workers.flatMap(({ task: id, comment }) => {
    const task = tasks.get(id)
    return task?.swarmRole === 'worker' && areInOneSwarm(card, task) ? [{ task, comment }] : []
  })

const withRejectedVerdict = <W extends { readonly events: EventDraft[] }>(
  write: W,
  run: Run,
  content: Verdict | null,
): W =>
  content === null
    ? write
    : {
        ...write,
        events: [
          ...write.events,
          { kind: 'late_result', taskId: run.taskId, runId: run.id, data: { verb: 'verdict', content } },
        ],
      }

type By = z.infer<typeof settleInput>['by']

const maySettle = (run: Run, by: By, { dispatcher }: ScopeRows, now: number): boolean =>
  'fence' in by ? owns(run, by.fence) : dispatches(dispatcher, by.dispatcherTokenHash, now)

/** Refuses to settle a run for a dispatcher, if the supervisor of the run might be alive. */
function refuseLive(run: Run, by: By, now: number): Refused | null {
  if ('fence' in by) return null
  if (by.unregistered && run.registeredAt !== null)
    return refuse('run_live', `The supervisor of run ${run.id} has registered meanwhile.`, { runId: run.id })
  if ((run.machine !== by.machine || by.lapsed) && !leaseExpired(run, now))
    return refuse('run_live', `Run ${run.id} belongs to ${run.machine ?? 'a person'}, and its lease has not ended.`, {
      runId: run.id,
      machine: run.machine,
    })
  return null
}

/**
 * The workspace after a failed start. The registration marked the workspace as used. If the start failed later, the
 * workspace has no files, so the card may run on another machine.
 */
function workspaceAfterFailedStart({ task: { workspace }, run, input }: SettleContext): TaskPatch {
  const hasEntered = run.registeredAt !== null && run.phase === 'work' && workspace.state === 'live'
  if (!hasEntered || input.ending.how !== 'spawn_failed') return {}
  if (workspace.kind === 'dir') return { workspace: { ...workspace, ...NO_FILES } }
  return workspace.kind === 'worktree' && workspace.base === null ? { workspace: freshWorkspace(workspace) } : {}
}

function written(context: SettleContext, end: Settlement): { changes: Change[]; events: EventDraft[] } {
  const { task, run, input, now } = context
  const account = accountMove(context, end.outcome)
  const { ending, usage, changes, attachments } = input
  return {
    changes: [
      ...attachments.map((row): Change => ({ op: 'insert_attachment', row })),
      ...(end.changes ?? []),
      ...(account === null ? [] : [{ op: 'put_account' as const, row: account.row }]),
      closeRun(run, end.outcome, now, {
        summary: end.handOff.summary,
        metadata: end.handOff.metadata,
        error: end.error,
        exitCode: ending.exitCode,
        signal: ending.signal,
        usage: usageWithJudge(usage, run),
        changes,
      }),
      {
        op: 'update_task',
        id: task.id,
        patch: { ...end.move.patch, ...workspaceAfterFailedStart(context), currentRunId: null },
      },
      ...(end.after ?? []),
    ],
    events: [...committed(run, changes), ...end.move.events, ...(end.events ?? []), ...(account?.events ?? [])],
  }
}

const committed = ({ id, taskId }: Run, changes: Changes | null): EventDraft[] =>
  changes === null || (changes.commit === null && changes.note === null)
    ? []
    : [{ kind: 'committed', taskId, runId: id, data: changes }]
