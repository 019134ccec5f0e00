import * as z from 'zod'
import { editShape, firstWorkspace, hasDirectory } from '../input/card-input.ts'
import { actorName, isAgentName } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { agentToRun, possibleSelfReviewer } from '../gates/admission.ts'
import { APPROVED, approvalAfter } from '../gates/command-approval.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import type { Board } from '../board.ts'
import type { EventDraft } from '../event.ts'
import { goalOf } from '../goal.ts'
import { json, line, name, taskId, text } from '../input/fields.ts'
import { FRESH_COUNTERS, NO_WAITS } from '../moves.ts'
import { isInReview, resumesInReview } from '../status.ts'
import type { Task, TaskPatch } from '../task.ts'
import { DEFAULT_TURNS, WORKSPACE_KINDS } from '../vocabulary.ts'
import { freshWorkspace, isElsewhere, machineName } from '../gates/workspace-gates.ts'
import { noDirectory } from './create.ts'
import { refuseGoalEdit } from './goal-edits.ts'
import { takeBack } from './take-back.ts'
import {
  changeableTask,
  findTask,
  taskIfMayOpenGates,
  isRefused,
  refuseIfTripped,
  taskResult,
  wrongStatus,
} from './guards.ts'

export const edits = z.object(editShape).partial()

/** Changes the fields of a card. The event names only the fields whose value changed. */
export const edit = defineVerb({
  name: 'edit',
  input: z.object({
    task: taskId,
    set: edits,
    resetFailures: z.boolean().default(false),
    /** Whether to take the card away from its worker in the same transaction. */
    clearClaim: z.boolean().default(false),
    /**
     * The id of this machine, if the card must start again without its files. This is allowed only if the files are on
     * another machine.
     */
    freshFrom: line.nullable().default(null),
    commandsApproved: z.boolean().optional(),
  }),
  scope: ({ task }) => ({ tasks: [task], board: 'read' as const }),
  decide: ({ rows, board, input, actor, now }) => {
    const task = input.clearClaim
      ? taskIfMayOpenGates(rows, input.task, actor)
      : changeableTask(rows, input.task, actor)
    if (isRefused(task)) return task
    if (input.resetFailures && actor.kind !== 'person')
      return refuse('not_allowed', `Only a person may reset the failure count of ${task.id}.`, { id: task.id })
    const refused = input.freshFrom === null ? null : refuseFreshWorkspace(task, actor, input.freshFrom)
    if (refused) return refused
    const fresh = input.freshFrom === null ? {} : { workspace: freshWorkspace(task.workspace) }
    const { patch, changed } = differences(task, input.set, board)
    const misplaced = refuseMove(task, { ...input.set, branch: patch.branch }, board) ?? refuseBase(task, patch)
    if (misplaced) return misplaced
    const selfJudged = refuseToJudgeOneself(task, actor, patch) ?? refuseGoalEdit(task, actor, patch)
    if (selfJudged) return selfJudged
    const reset = input.resetFailures ? FRESH_COUNTERS : resetAfter(patch, task, actor)
    const taken = input.clearClaim
      ? takeBack({ rows, task, actor, now }, { reason: null, assignee: null })
      : accept(taskResult(task))
    if (!taken.ok || (changed.length === 0 && !input.resetFailures && input.freshFrom === null)) return taken
    const approval = approvalAfter(actor, changed, input.commandsApproved)
    return accept(taken.result, {
      changes: [
        {
          op: 'update_task',
          id: task.id,
          patch: { ...reset, ...fresh, ...turnsAfter(task, patch), ...patch, ...approval },
        },
        ...taken.changes,
      ],
      events: [
        ...editEvents(task, patch, changed, input.resetFailures),
        ...abandonedFiles(task, input.freshFrom),
        ...taken.events,
      ],
    })
  },
})

/** Refuses an edit with which a worker would influence the judgement of its own work. */
function refuseToJudgeOneself(task: Task, actor: Actor, { checks, reviewer }: TaskPatch): Refused | null {
  if (actor.kind !== 'worker') return null
  const { id } = task
  if (checks !== undefined && id === actor.taskId)
    return refuse('not_allowed', `A worker may not change the checks that judge its own work on ${id}.`, { id })
  if (reviewer == null || reviewer !== authorOf(task, actor)) return null
  const message = `A worker may not let ${reviewer} review its own work on ${id}: name another reviewer.`
  return refuse('not_allowed', message, { id })
}

/** The author of the work. This is the actor if it edits its own card, otherwise the assignee. */
const authorOf = ({ id, assignee }: Task, actor: Actor): string | null =>
  actor.kind === 'worker' && actor.taskId === id ? actor.name : assignee

/** A new goal has all of its turns. */
const turnsAfter = (task: Task, { goal }: TaskPatch): TaskPatch =>
  goal !== undefined && (goal === null || task.goal === null) ? { goalTurns: 0 } : {}

/** Resets the failure counters if the workspace or the reviewer changes. */
const resetAfter = ({ workspace, reviewer }: TaskPatch, task: Task, actor: Actor): TaskPatch => ({
  ...(reviewer === undefined ? {} : countersForReviewer(task, actor)),
  ...(workspace === undefined ? {} : countersFor(task, actor)),
})

/**
 * Resets the failure counters when the card gets another reviewer. If the board stopped the card at a limit, only a
 * change by a person resets them.
 */
const countersForReviewer = (task: Task, actor: Actor): TaskPatch =>
  refuseIfTripped(task, actor)
    ? {}
    : task.status === 'review'
      ? { reviewFailures: 0, rateLimits: 0, breakerOpen: false, ...NO_WAITS }
      : { reviewFailures: 0 }

const DEFAULT_GOAL = { maxTurns: DEFAULT_TURNS, judge: 'model' } as const

type Edits = z.infer<typeof edits>

/** Refuses a new workspace for a card with files, because the new workspace would not have the files. */
function refuseMove(task: Task, { workspace, branch }: Pick<Edits, 'workspace' | 'branch'>, board: Board) {
  const { id } = task
  const { state, base } = task.workspace
  if (workspace && state !== 'none' && state !== 'gone')
    return refuse('wrong_status', `Card ${id} has files in its workspace: create another card for another workspace.`, {
      id,
    })
  if (workspace && task.status === 'running')
    return refuse('run_live', `Card ${id} is running: reclaim it first.`, { id })
  if (workspace && !hasDirectory(workspace, board)) return noDirectory(workspace, board)
  if (branch !== undefined && base !== null)
    return refuse(
      'wrong_status',
      `The worktree of ${id} already exists on branch ${task.branch}: switch branches in the worktree.`,
      {
        id,
        field: 'branch',
      },
    )
  if (workspace === undefined && branch === undefined) return null
  const wanted = branch === undefined ? task.branch : branch
  if (wanted !== null && (workspace ?? task.workspace).kind !== 'worktree')
    return refuse('invalid_input', `Card ${id} has no worktree, so it has no branch: omit the branch.`, {
      id,
      field: 'branch',
    })
  return null
}

/** Refuses to change the base of a worktree that already exists. */
function refuseBase(task: Task, patch: TaskPatch): Refused | null {
  const { id } = task
  const { kind, base } = patch.workspace ?? task.workspace
  const wanted = patch.base === undefined ? task.base : patch.base
  if (patch.base !== undefined && base !== null)
    return refuse('wrong_status', `The worktree of ${id} already exists: merge or rebase in the worktree.`, {
      id,
      field: 'base',
    })
  if (wanted === null || kind === 'worktree') return null
  return refuse('invalid_input', `Card ${id} has no worktree, so it has no base: omit the base.`, { id, field: 'base' })
}

/**
 * Refuses to start the card without its files. A worker may not do this, and a reviewer must not see an empty folder.
 */
function refuseFreshWorkspace(task: Task, actor: Actor, here: string): Refused | null {
  const { id, status, workspace } = task
  if (actor.kind === 'worker')
    return refuse('not_allowed', `Only a person or an orchestrator may start ${id} again without its files.`, { id })
  if (status === 'running') return refuse('run_live', `Card ${id} is running: reclaim it first.`, { id })
  if (isInReview(status) || resumesInReview(task))
    return refuse('wrong_status', `Card ${id} is in review and needs its files. Run muster reopen ${id} first.`, { id })
  if (isElsewhere(workspace, here)) return null
  return refuse('wrong_status', `Card ${id} has no files on another machine, so it needs no fresh workspace.`, { id })
}

const abandonedFiles = ({ id, workspace }: Task, freshFrom: string | null): EventDraft[] =>
  freshFrom === null
    ? []
    : [{ kind: 'workspace_abandoned', taskId: id, data: { path: workspace.path, machine: machineName(workspace) } }]

function differences(task: Task, set: Edits, { settings }: Board): { patch: TaskPatch; changed: string[] } {
  const workspace = set.workspace && firstWorkspace(set.workspace, settings)
  const goal = set.goal ? { ...DEFAULT_GOAL, ...goalOf(task), ...set.goal } : set.goal
  const entries = Object.entries({ ...set, goal, workspace }).filter(
    ([key, value]) => value !== undefined && JSON.stringify(task[key as keyof Task]) !== JSON.stringify(value),
  )
  return { patch: Object.fromEntries(entries), changed: entries.map(([key]) => key) }
}

function editEvents(task: Task, patch: TaskPatch, changed: readonly string[], reset: boolean): EventDraft[] {
  const others = changed.filter((field) => field !== 'priority')
  const events: EventDraft[] = []
  if (others.length > 0) events.push({ kind: 'edited', taskId: task.id, data: { fields: others } })
  if (patch.priority !== undefined)
    events.push({ kind: 'reprioritized', taskId: task.id, data: { priority: patch.priority, was: task.priority } })
  if (reset) events.push({ kind: 'failures_reset', taskId: task.id, data: {} })
  return events
}

/**
 * Corrects the result of a finished card. The run that produced it stays unchanged, and the event records the
 * correction.
 */
export const amend = defineVerb({
  name: 'amend',
  input: z.object({
    task: taskId,
    result: text.nullable().default(null),
    summary: text.nullable().default(null),
    metadata: json.nullable().default(null),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, actor }) => {
    const task = taskIfMayOpenGates(rows, input.task, actor)
    if (isRefused(task)) return task
    if (task.status !== 'done') return wrongStatus(task, 'amending the result', 'done')
    const { result, summary, metadata } = input
    return accept(taskResult(task), {
      changes: [
        {
          op: 'update_task',
          id: task.id,
          patch: { result: result ?? summary ?? task.result, metadata: metadata ?? task.metadata },
        },
      ],
      events: [{ kind: 'amended', taskId: task.id, data: { result, summary } }],
    })
  },
})

/**
 * Assigns a card to another agent, or unassigns the card. The failure count restarts for a new assignee. If the board
 * stopped the card at a limit, the count restarts only if a person assigns the card.
 */
export const assign = defineVerb({
  name: 'assign',
  input: z.object({
    task: taskId,
    assignee: name.nullable(),
    source: z.literal('default').optional(),
    commandsApproved: z.boolean().optional(),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, actor }) => {
    const task = changeableTask(rows, input.task, actor)
    if (isRefused(task)) return task
    if (task.status === 'running')
      return refuse(
        'run_live',
        `Card ${task.id} is running. Reclaim it first, or run: muster reassign ${task.id} '…' --reclaim.`,
        { id: task.id },
      )
    // A default assignee does not replace an assignee that another command set in the meantime.
    const isTaken = input.source === 'default' && task.assignee !== null
    if (isTaken || task.assignee === input.assignee) return accept(taskResult(task))
    const source = input.source === undefined ? {} : { source: input.source }
    return accept(taskResult(task), {
      changes: [
        {
          op: 'update_task',
          id: task.id,
          patch: {
            ...countersFor(task, actor),
            assignee: input.assignee,
            ...approvalAfter(actor, ['assignee'], input.commandsApproved),
          },
        },
      ],
      events: [
        { kind: 'assigned', taskId: task.id, data: { assignee: input.assignee, was: task.assignee, ...source } },
      ],
    })
  },
})

const countersFor = (task: Task, actor: Actor): TaskPatch =>
  refuseIfTripped(task, actor) ? {} : { ...FRESH_COUNTERS, breakerOpen: task.breakerOpen }

/**
 * The fields that a person sees before the approval of commands. These fields decide which commands run, where, and by
 * which agent.
 */
const shownFields = z.object({
  body: text.nullable(),
  checks: z.array(text),
  assignee: name.nullable(),
  reviewer: name.nullable(),
  workspace: z.object({ kind: z.enum(WORKSPACE_KINDS), path: text.nullable(), repo: text.nullable() }),
  /** The agent that would run the card now: its assignee, the board's default assignee or its reviewer. */
  agent: name.nullable(),
})
type Shown = z.infer<typeof shownFields>

/** The current values of the fields that a person sees before an approval, read in the transaction. */
const shownNow = ({ body, checks, assignee, reviewer, workspace }: Task, agent: string | null): Shown => ({
  body,
  checks,
  assignee,
  reviewer,
  workspace: { kind: workspace.kind, path: workspace.path, repo: workspace.repo },
  agent,
})

const isSame = (one: Shown, other: Shown): boolean =>
  SHOWN_KEYS.every((key) => JSON.stringify(one[key]) === JSON.stringify(other[key]))

const SHOWN_KEYS = Object.keys(shownFields.shape) as (keyof Shown)[]

/**
 * Approves commands that an agent wrote and a person read. If the commands changed after the person read them, the
 * approval is refused.
 */
export const approveCommands = defineVerb({
  name: 'approve_commands',
  input: z.object({
    task: taskId,
    shown: shownFields,
    hash: line,
    /** Whether the person read the body as a script, because the card's agent would run it. */
    asScript: z.boolean().default(false),
  }),
  scope: ({ task }) => ({ tasks: [task], board: 'read' as const }),
  facts: ({ rows, board, input: { task } }) => ({
    bodyWriter: { fact: 'body_writer' as const, task },
    worked: { fact: 'worked_on' as const, agent: possibleSelfReviewer(rows.tasks.get(task), board), ids: [task] },
  }),
  decide: ({ rows, board, input, actor, facts }) => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    if (actor.kind !== 'person')
      return refuse('not_allowed', `Only a person approves commands, not ${actorName(actor)}.`, { id: task.id })
    if (!isSame(shownNow(task, agentToRun(task, board, facts.worked.length > 0)), input.shown))
      return refuse(
        'commands_changed',
        `The commands of ${task.id} have changed since you read them: read them again.`,
        {
          id: task.id,
        },
      )
    const { hash, asScript } = input
    const isNewScript = asScript && isAgentName(facts.bodyWriter ?? task.createdBy)
    if (task.commandsApproved && task.createdByRun === null && !isNewScript) return accept(taskResult(task))
    return accept(taskResult(task), {
      changes: [{ op: 'update_task', id: task.id, patch: APPROVED }],
      events: [{ kind: 'commands_approved', taskId: task.id, data: asScript ? { hash, script: true } : { hash } }],
    })
  },
})
