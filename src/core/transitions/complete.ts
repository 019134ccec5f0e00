import * as z from 'zod'
import { actorName, opensGates } from '../actor.ts'
import { placedFileSchema } from '../attachment.ts'
import { requiredChecks, initialChecks } from '../required-checks.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, Context, Decision, Refused } from '../decision.ts'
import type { FactQueries } from '../facts.ts'
import { json, line, runId, taskId, text } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import { completeMove } from '../moves.ts'
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'
import { isElsewhere, machineName } from '../gates/workspace-gates.ts'
import { checkCreatedCards } from './created-cards.ts'
import { recordFiles } from './files.ts'
import type { TaskResult } from './guards.ts'
import {
  findTask,
  breakerKeeper,
  recordIntent,
  isRefused,
  refuseIfTripped,
  isRepeated,
  liveRun,
  parentsOpen,
  statusBeforeRun,
  taskResult,
  wrongStatus,
} from './guards.ts'
import { phantoms } from './run-life.ts'
import { blankRun, closeRun, syntheticRun } from './runs.ts'

const input = z.object({
  task: taskId,
  /** An id for the run this may open: a synthetic one that keeps the hand-off, or the one that runs the checks. */
  runId,
  summary: text.nullable().default(null),
  result: text.nullable().default(null),
  metadata: json.nullable().default(null),
  createdCards: z.array(taskId).max(1000).default([]),
  /** What came out of it: files that the caller has put in place, recorded with the completion or not at all. */
  files: z.array(placedFileSchema).max(100).default([]),
  /** Skips the checks, with the reason on the record. */
  force: line.nullable().default(null),
  /** What the file of the card's agent asks for, beside the checks of the card. */
  checks: z.array(text).default([]),
  /** Where the card's checks would run: the caller starts a supervisor for the run that this opens. */
  checker: z
    .object({ tokenHash: line, machine: line, libVersion: text.nullable().default(null) })
    .nullable()
    .default(null),
})
type Input = z.infer<typeof input>

const facts = ({ input: { task, runId: id, createdCards } }: { input: Input }) => ({
  openParents: { fact: 'open_parents' as const, child: task },
  lastAttempt: { fact: 'last_attempt' as const, task },
  there: { fact: 'run_exists' as const, id },
  cards: { fact: 'cards' as const, ids: createdCards },
  children: { fact: 'children_among' as const, parent: task, ids: createdCards },
})
type Facts = ReturnType<typeof facts> & FactQueries

/** Somebody other than the running worker says that a card is finished. */
export const complete = defineVerb({
  name: 'complete',
  input,
  scope: ({ task }) => ({ tasks: [task] }),
  facts,
  decide: (context) => {
    const task = findTask(context.rows, context.input.task)
    if (isRefused(task)) return task
    if (isRepeated(task, context.facts.there)) return repeated(task, context.input)
    if (context.actor.kind === 'worker' && task.createdByRun !== context.actor.runId)
      return refuse(
        'not_allowed',
        `A worker ends its own card with a verdict and may complete only cards it created, not ${task.id}: comment on that one instead.`,
        { id: task.id },
      )
    const kept = refuseIfTripped(task, context.actor)
    if (kept) return kept
    const gate = statusBeforeRun(task, context.rows.runs.get(task.id))
    if (!opensGates(context.actor) && (gate === 'blocked' || gate === 'review' || context.input.force !== null))
      return refuse(
        'not_allowed',
        `Only a person or an orchestrator completes ${task.id} past its block, its review or its checks.`,
        { id: task.id },
      )
    return finish(context, task, 'complete')
  },
})

/** A person is content with a card in review. */
export const approve = defineVerb({
  name: 'approve',
  input,
  scope: ({ task }) => ({ tasks: [task] }),
  facts,
  decide: (context) => {
    const task = breakerKeeper(context.rows, context.input.task, context.actor)
    if (isRefused(task)) return task
    if (isRepeated(task, context.facts.there)) return repeated(task, context.input)
    const inReview = statusBeforeRun(task, context.rows.runs.get(task.id)) === 'review'
    return inReview ? finish(context, task, 'approve') : wrongStatus(task, 'approve', 'in review')
  },
})

const repeated = (task: Task, { runId: id }: Input): Decision<TaskResult> =>
  accept(taskResult(task, task.status, { pending: task.currentRunId === id, runId: id }))

function finish(context: Context<Input, Facts>, task: Task, verb: 'complete' | 'approve'): Decision<TaskResult> {
  const { rows, facts: known, input: said, actor, now } = context
  const by = actorName(actor)
  const cards = checkCreatedCards(task, said.createdCards, { ...known, runId: null, authors: [by] })
  if (cards.phantom.length > 0) return phantoms(task, rows.runs.get(task.id) ?? null, cards)

  const live = liveRun(rows, task)
  if (live) {
    const { summary, result, metadata, force, files } = said
    return recordIntent({ task, run: live, actor, now }, { verb, summary, result, metadata, force, files })
  }
  if (task.status === 'todo')
    return parentsOpen(task, known.openParents, `finish or unlink them, or muster promote ${task.id} --force`)
  const manual = rows.runs.get(task.id) ?? null
  if (manual === null && !['ready', 'blocked', 'review'].includes(task.status))
    return wrongStatus(task, verb, 'ready, running, blocked or in review')
  if (known.openParents.length > 0 && manual === null)
    return parentsOpen(task, known.openParents, `finish or unlink them, or muster promote ${task.id} --force`)
  if (task.checks.length + said.checks.length > 0 && said.force === null) return openCheckRun(context, task, manual)
  return finishNow(context, task, { manual, verified: cards.verified })
}

function finishNow(
  { facts: known, input: said, actor, now }: Context<Input, Facts>,
  task: Task,
  { manual, verified }: { manual: Run | null; verified: readonly TaskId[] },
): Decision<TaskResult> {
  const { summary, result, metadata, force, files } = said
  const spoken = summary !== null || result !== null || metadata !== null || files.length > 0
  const kept = { summary: summary ?? result, metadata }
  const runRow: Change[] = manual
    ? [closeRun(manual, 'completed', now, kept)]
    : spoken
      ? [
          syntheticRun(
            task,
            { id: said.runId, attempt: known.lastAttempt + 1, now, by: actorName(actor), outcome: 'completed' },
            kept,
          ),
        ]
      : []
  const closed = manual?.id ?? (spoken ? said.runId : null)
  const move = completeMove(task, said, {
    now,
    runId: closed,
    approval: statusBeforeRun(task, manual) === 'review' ? { reviewer: actorName(actor) } : null,
    verifiedCards: verified,
    keepsAttempts: actor.kind !== 'person',
    artifacts: files.map(({ filename }) => filename),
    ...(force === null ? {} : { forced: force }),
  })
  const attached = recordFiles(task, files, { by: actorName(actor), runId: closed, now })
  return accept(taskResult(task, 'done', { runId: closed }), {
    changes: [
      ...runRow,
      ...attached.changes,
      { op: 'update_task', id: task.id, patch: { ...move.patch, currentRunId: null } },
    ],
    events: [...attached.events, ...move.events],
  })
}

/** The board runs the checks before it believes a person either; failing puts the card back where it was. */
function openCheckRun(
  { facts: known, input: said, board, actor, now }: Context<Input, Facts>,
  task: Task,
  manual: Run | null,
): Decision<TaskResult> {
  const { summary, result, metadata, createdCards } = said
  const checks = initialChecks(said.checks)
  const checker = checkerOf(said, task, { manual, checks: requiredChecks(task, { checks }) })
  if (isRefused(checker)) return checker
  const run: Run = {
    ...blankRun(task, { id: said.runId, attempt: known.lastAttempt + 1, now, claimedBy: actorName(actor) }),
    ...checker,
    phase: 'check',
    agent: null,
    startDeadlineAt: now + board.settings.startDeadlineMs,
    leaseUntil: now + board.settings.leaseMs,
    verdict: { kind: 'complete', summary, result, metadata, artifacts: [], createdCards },
    verdictAt: now,
    checks,
  }
  return accept(taskResult(task, 'running', { pending: true, runId: run.id }), {
    changes: [
      { op: 'insert_run', row: run },
      { op: 'update_task', id: task.id, patch: { status: 'running', currentRunId: run.id } },
    ],
    events: [
      {
        kind: 'claimed',
        taskId: task.id,
        runId: run.id,
        data: { attempt: run.attempt, agent: null, machine: checker.machine, phase: 'check', from: task.status },
      },
    ],
  })
}

/** Whoever is to run the checks, unless something is in the way of that. */
function checkerOf(
  { checker, files }: Input,
  { id, ...task }: Task,
  { manual, checks }: { readonly manual: Run | null; readonly checks: readonly string[] },
): NonNullable<Input['checker']> | Refused {
  const required = (message: string, more: object = {}): Refused =>
    refuse('checks_required', message, { id, checks, ...more })
  if (manual !== null)
    return required(
      `You hold ${id} by hand, and it has checks: complete it with --force '…' once they pass in muster check ${id}.`,
      { claimed: true },
    )
  if (checker === null) return required(`Card ${id} has checks that must pass first: run them, or give --force '…'.`)
  // The run that checks has nowhere to keep them until it settles.
  if (files.length > 0)
    return required(`Card ${id} has checks that run first: attach the files with muster attach, then complete it.`)
  if (task.checks.length > 0 && !task.commandsApproved)
    return refuse(
      'gate_closed',
      `An agent wrote the checks of ${id} and nobody has approved them: muster approve ${id} --commands first.`,
      { id, checks: task.checks },
    )
  if (isElsewhere(task.workspace, checker.machine))
    return refuse(
      'gate_closed',
      `The files of ${id} are on machine ${machineName(task.workspace)}: run this command there, or give --force '…'.`,
      { id, machine: task.workspace.machine },
    )
  return checker
}
