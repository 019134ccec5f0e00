import * as z from 'zod'
import { actorName, opensGates } from '../actor.ts'
import { storedFileSchema } from '../attachment.ts'
import { requiredChecks, initialChecks } from '../required-checks.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, Context, Decision, Refused } from '../decision.ts'
import type { FactQueries } from '../facts.ts'
import { json, line, runId, taskId, text } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import { completeMove } from '../moves.ts'
import { accepts, isBlocked, isInReview } from '../status.ts'
import { awaitsPick } from '../tournament/tournament.ts'
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'
import { isElsewhere, machineName } from '../gates/workspace-gates.ts'
import { checkCreatedCards } from './created-cards.ts'
import { recordFiles } from './files.ts'
import { refuseUnjudged } from './goal-edits.ts'
import type { TaskResult } from './guards.ts'
import {
  findTask,
  taskIfMayCloseBreaker,
  recordIntent,
  isRefused,
  neverStarts,
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

/** The machine that runs the checks. The caller starts a supervisor for the run that the command opens. */
export const checkerField = z
  .object({ tokenHash: line, machine: line, libVersion: text.nullable().default(null) })
  .nullable()
  .default(null)

const input = z.object({
  task: taskId,
  /** The id of the run that this command opens, if it must store the hand-off or run the checks. */
  runId,
  summary: text.nullable().default(null),
  result: text.nullable().default(null),
  metadata: json.nullable().default(null),
  createdCards: z.array(taskId).max(1000).default([]),
  /** Result files that the caller has already stored. The files are recorded only if the completion is accepted. */
  files: z.array(storedFileSchema).max(100).default([]),
  /** The reason why the person skips the checks. */
  force: line.nullable().default(null),
  /** The checks in the file of the card's agent. */
  checks: z.array(text).default([]),
  checker: checkerField,
})
type Input = z.infer<typeof input>

const facts = ({ input: { task, runId: id, createdCards } }: { input: Input }) => ({
  openParents: { fact: 'open_parents' as const, child: task },
  lastAttempt: { fact: 'last_attempt' as const, task },
  existing: { fact: 'run_exists' as const, id },
  cards: { fact: 'cards' as const, ids: createdCards },
  children: { fact: 'children_among' as const, parent: task, ids: createdCards },
})
type Facts = ReturnType<typeof facts> & FactQueries

type CompleteContext = Context<Input, Facts>

/** Completes a card for a person, or for an agent that is not the card's worker. */
export const complete = defineVerb({
  name: 'complete',
  input,
  scope: ({ task }) => ({ tasks: [task], movesChildren: true }),
  facts,
  decide: (context) => {
    const task = findTask(context.rows, context.input.task)
    if (isRefused(task)) return task
    if (isRepeated(task, context.facts.existing)) return repeated(task, context.input)
    return refuseCompleter(context, task) ?? finish(context, task, 'complete')
  },
})

/** Workers may complete only cards that they created. Only people and orchestrators may skip the checks. */
function refuseCompleter({ rows, input: { force }, actor }: CompleteContext, task: Task): Refused | null {
  if (actor.kind === 'worker' && task.createdByRun !== actor.runId)
    return refuse(
      'not_allowed',
      `A worker ends its own card with a verdict. It may complete only other cards that it created, not ${task.id}: comment on that card instead.`,
      { id: task.id },
    )
  const refused = refuseIfTripped(task, actor) ?? refuseUnjudged(task, actor)
  if (refused) return refused
  const status = statusBeforeRun(task, rows.runs.get(task.id))
  const hasGate = isBlocked(status) || isInReview(status) || force !== null
  return hasGate && !opensGates(actor)
    ? refuse(
        'not_allowed',
        `Only a person or an orchestrator may complete ${task.id} while it is blocked or in review, or before its checks pass.`,
        { id: task.id },
      )
    : null
}

/** Approves a card in review for a person. */
export const approve = defineVerb({
  name: 'approve',
  input,
  scope: ({ task }) => ({ tasks: [task], movesChildren: true }),
  facts,
  decide: (context) => {
    const task = taskIfMayCloseBreaker(context.rows, context.input.task, context.actor)
    if (isRefused(task)) return task
    if (isRepeated(task, context.facts.existing)) return repeated(task, context.input)
    const status = statusBeforeRun(task, context.rows.runs.get(task.id))
    return accepts(status, 'approve') ? finish(context, task, 'approve') : wrongStatus(task, 'approve', 'in review')
  },
})

const repeated = (task: Task, { runId: id }: Input): Decision<TaskResult> =>
  accept(taskResult(task, task.status, { pending: task.currentRunId === id, runId: id }))

function finish(context: CompleteContext, task: Task, verb: 'complete' | 'approve'): Decision<TaskResult> {
  const { rows, facts: known, input: given, actor, now } = context
  const cards = checkCreatedCards(task, given.createdCards, { ...known, runId: null, authors: [actorName(actor)] })
  if (cards.phantom.length > 0) return phantoms(task, rows.runs.get(task.id) ?? null, cards)
  const live = liveRun(rows, task)
  if (live) {
    const { summary, result, metadata, force, files } = given
    return recordIntent({ task, run: live, actor, now }, { verb, summary, result, metadata, force, files })
  }
  const manual = rows.runs.get(task.id) ?? null
  const refused = manual === null ? refuseIdle(task, verb, known.openParents) : null
  if (refused) return refused
  const hasChecks = task.checks.length + given.checks.length > 0
  return hasChecks && given.force === null
    ? checkFirst(context, task, manual)
    : finishNow(context, task, { manual, verified: cards.verified })
}

/**
 * The reason why a card without an open run cannot be finished now. If the card is claimed, the claim has already
 * checked the parents.
 */
function refuseIdle(task: Task, verb: string, openParents: readonly TaskId[]): Refused | null {
  if (awaitsPick(task) && !isBlocked(task.status)) return neverStarts(task)
  const isWaiting = accepts(task.status, 'complete') && openParents.length > 0
  if (task.status === 'todo' || isWaiting)
    return parentsOpen(task, openParents, `finish or unlink them, or muster promote ${task.id} --force`)
  return accepts(task.status, 'complete') ? null : wrongStatus(task, verb, 'ready, running, blocked or in review')
}

function finishNow(
  { facts: known, input: given, actor, now }: CompleteContext,
  task: Task,
  { manual, verified }: { manual: Run | null; verified: readonly TaskId[] },
): Decision<TaskResult> {
  const { summary, result, metadata, force, files } = given
  const hasHandOff = summary !== null || result !== null || metadata !== null || files.length > 0
  const kept = { summary: summary ?? result, metadata }
  const runRow: Change[] = manual
    ? [closeRun(manual, 'completed', now, kept)]
    : hasHandOff
      ? [
          syntheticRun(
            task,
            { id: given.runId, attempt: known.lastAttempt + 1, now, by: actorName(actor), outcome: 'completed' },
            kept,
          ),
        ]
      : []
  const closed = manual?.id ?? (hasHandOff ? given.runId : null)
  const move = completeMove(task, given, {
    now,
    runId: closed,
    approval: isInReview(statusBeforeRun(task, manual)) ? { reviewer: actorName(actor) } : null,
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

/**
 * Opens a run for the checks, because a completion by a person waits for the checks too. If a check fails, the card
 * returns to its earlier status.
 */
function checkFirst(context: CompleteContext, task: Task, manual: Run | null): Decision<TaskResult> {
  const { input: given } = context
  const checks = requiredChecks(task, { checks: initialChecks(given.checks) })
  const checker = checkerOf(given, task, { manual, checks })
  if (isRefused(checker)) return checker
  const run = checkRun(context, task, checker)
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
        data: { attempt: run.attempt, agent: null, machine: run.machine, phase: 'check', from: task.status },
      },
    ],
  })
}

type CheckerInput = NonNullable<Input['checker']>

/** A run that only runs the checks. Its verdict is known from the start. */
function checkRun(
  { facts: known, input: given, board, actor, now }: CompleteContext,
  task: Task,
  checker: CheckerInput,
): Run {
  const { summary, result, metadata, createdCards } = given
  return {
    ...blankRun(task, { id: given.runId, attempt: known.lastAttempt + 1, now, claimedBy: actorName(actor) }),
    ...checker,
    phase: 'check',
    agent: null,
    startDeadlineAt: now + board.settings.startDeadlineMs,
    leaseUntil: now + board.settings.leaseMs,
    verdict: { kind: 'complete', summary, result, metadata, artifacts: [], createdCards },
    verdictAt: now,
    checks: initialChecks(given.checks),
  }
}

/** The machine that runs the checks, or the reason why they cannot run. */
function checkerOf(
  { checker, files }: Input,
  { id, ...task }: Task,
  { manual, checks }: { readonly manual: Run | null; readonly checks: readonly string[] },
): CheckerInput | Refused {
  const required = (message: string, more: object = {}): Refused =>
    refuse('checks_required', message, { id, checks, ...more })
  if (manual !== null)
    return required(
      `You claimed ${id}, and it has checks. Run muster check ${id}. If they pass: muster complete ${id} --force --reason '…'`,
      { claimed: true },
    )
  if (checker === null)
    return required(`Card ${id} has checks that must pass first: run them, or give --force --reason '…'.`)
  // A check run cannot store files before it ends.
  if (files.length > 0)
    return required(`Card ${id} has checks that run first: attach the files with muster attach, then complete it.`)
  if (task.checks.length > 0 && !task.commandsApproved)
    return refuse(
      'gate_closed',
      `An agent wrote the checks of ${id}: approve them first with muster approve ${id} --commands.`,
      { id, checks: task.checks },
    )
  if (isElsewhere(task.workspace, checker.machine))
    return refuse(
      'gate_closed',
      `The files of ${id} are on machine ${machineName(task.workspace)}: run this command there, or give --force --reason '…'.`,
      { id, machine: task.workspace.machine },
    )
  return checker
}
