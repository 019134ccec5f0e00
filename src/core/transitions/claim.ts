import * as z from 'zod'
import {
  awaitsProbe,
  doubtedReviewer,
  limitsFor,
  reasonsAgainstManual,
  reasonsToWait,
  runnerOf,
} from '../gates/admission.ts'
import type { Reason } from '../reasons/reason.ts'
import { actorName } from '../actor.ts'
import type { Board } from '../board.ts'
import { initialChecks } from '../required-checks.ts'
import { beyondApproval } from '../gates/command-approval.ts'
import type { Beyond } from '../gates/command-approval.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Accepted, Change, Place, Refused } from '../decision.ts'
import { fieldsOfClaim } from '../input/claim-input.ts'
import { runId, taskId } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import { dispatches } from '../limits/lease.ts'
import { NO_WAITS } from '../moves.ts'
import type { Run } from '../run.ts'
import type { SlotKey } from '../slot.ts'
import type { Task } from '../task.ts'
import { folderOwner, pinnedBranch } from '../gates/workspace-gates.ts'
import type { BranchHolder } from '../gates/workspace-gates.ts'
import { findTask, isRefused } from './guards.ts'
import { blankRun } from './runs.ts'

/**
 * A dispatcher takes a ready card (or one in review) for an agent: gates re-checked, places counted, run opened, in
 * one transaction. Losing is a result; the loser is told who has it.
 */
export const claim = defineVerb({
  name: 'claim',
  input: fieldsOfClaim,
  scope: (input, board) => {
    const places: SlotKey[] = [
      { kind: 'machine', name: input.machine },
      { kind: 'board', name: board },
      { kind: 'agent', name: input.agent },
    ]
    if (input.account !== null) places.push({ kind: 'account', name: input.account })
    return {
      tasks: [input.task],
      graph: input.pinned,
      places,
      account: input.account,
      dispatcher: { machine: input.machine, access: 'read' },
    }
  },
  facts: ({ rows, input, board }) => {
    const task = rows.tasks.get(input.task)
    const path = (task && directoryOf(task, input.directory)) ?? ''
    const pinned = (task && pinnedBranch(task)) ?? { repo: null, branch: null }
    return {
      openParents: { fact: 'open_parents' as const, child: input.task },
      openRuns: { fact: 'open_runs' as const, machine: input.machine, agent: input.agent, account: input.account },
      lastAttempt: { fact: 'last_attempt' as const, task: input.task },
      repeated: { fact: 'run_exists' as const, id: input.runId },
      worked: {
        fact: 'worked_on' as const,
        agent: task?.status === 'review' ? doubtedReviewer(task, board) : null,
        ids: [input.task],
      },
      directoryUser: { fact: 'directory_user' as const, path, except: input.task },
      branchHolders: { fact: 'branch_holders' as const, ...pinned, except: input.task },
      // Only of a script it matters who wrote it.
      bodyWriter: { fact: 'body_writer' as const, task: input.trusted === null ? null : input.task },
      probe: { fact: 'run_exists' as const, id: rows.account?.probeRunId ?? input.runId },
    }
  },
  decide: ({ rows, board, facts, input, actor, now }) => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    if (facts.repeated !== null) return repeatedClaim(task, rows.runs.get(task.id), input)
    if (!dispatches(rows.dispatcher, input.dispatcherTokenHash, now))
      return refuse('dispatcher_superseded', `Another dispatcher is active on ${input.machine}.`, {
        machine: input.machine,
      })
    if (task.status === 'running') return lost(task, rows.runs.get(task.id))
    const ownWork = facts.worked.length > 0
    const runner = runnerOf(task, board, ownWork)
    if (runner !== input.agent)
      return refuse('claim_lost', `Card ${task.id} now belongs to ${runner ?? 'nobody'}.`, { id: task.id })

    if (!input.pinned && pinnedBranch(task) !== null)
      return refuse('claim_lost', `The branch of card ${task.id} was changed meanwhile.`, { id: task.id })

    // A probe that is over and told nothing holds back nobody.
    const isProbed = facts.probe !== null && !facts.probe.ended
    const account = rows.account === null || isProbed ? rows.account : { ...rows.account, probeRunId: null }
    const { slots } = rows
    const { caps, machine } = input
    const beyond = beyondApproval(task, input, facts.bodyWriter)
    const [first] = reasonsToWait({ ...facts, ownWork, task, board, now, slots, account, caps, machine, beyond })
    if (first) return rejected(task, first, facts.openParents)

    const attempt = facts.lastAttempt + 1
    const opened = blankRun(task, { id: input.runId, attempt, now, claimedBy: actorName(actor) })
    const probe = input.probe || awaitsProbe(account, now)
    const run = { ...opened, ...agentRun(task, board, { ...input, probe }, now) }
    const claimed = openRun(inFolder(task, input.directory, facts.branchHolders), run)
    const limits = limitsFor(caps, board)
    const place: Place = {
      slots: slots.map((slot) => ({ slot, limit: limits[slot.kind] })),
      task: task.id,
      directory: board.settings.sharedDirectories ? null : directoryOf(task, input.directory),
    }
    // One run finds out whether a paused account answers again; only its word reopens it.
    const probed: Change[] =
      probe && account !== null
        ? [{ op: 'put_account', row: { ...account, probeRunId: input.runId, updatedAt: now } }]
        : []
    return { ...claimed, changes: [{ op: 'take_place', place }, ...claimed.changes, ...probed] }
  },
})

/** The directory in which the card works, if it works in one that other cards may name too. */
const directoryOf = ({ workspace }: Task, resolved: string | null): string | null =>
  workspace.kind === 'dir' ? (resolved ?? workspace.path) : null

/** A directory keeps the path that it had at the first claim, links resolved. A shared branch keeps its worktree. */
function inFolder(task: Task, directory: string | null, holders: readonly BranchHolder[]): Task {
  const { workspace } = task
  if (workspace.kind === 'dir')
    return directory === null ? task : { ...task, workspace: { ...workspace, path: directory } }
  const owner = folderOwner(task, holders)
  return owner === workspace.owner ? task : { ...task, workspace: { ...workspace, owner } }
}

/** What an agent's run has beyond any run: whose it is, and the deadlines by which its supervisor must show itself. */
const agentRun = (
  task: Task,
  { settings }: Board,
  input: z.infer<typeof fieldsOfClaim>,
  now: number,
): Partial<Run> => ({
  agent: input.agent,
  account: input.account,
  machine: input.machine,
  tokenHash: input.tokenHash,
  dispatcher: input.dispatcher,
  startDeadlineAt: now + settings.startDeadlineMs,
  leaseUntil: now + Math.max(settings.leaseMs, settings.startDeadlineMs),
  maxRuntimeMs: task.maxRuntimeMs ?? input.maxRuntimeMs,
  probe: input.probe,
  checks: initialChecks(input.checks),
  libVersion: input.libVersion,
})

interface ClaimResult {
  readonly runId: Run['id']
  readonly taskId: TaskId
  readonly attempt: number
  readonly phase: Run['phase']
}

const claimResult = ({ id, taskId: task, attempt, phase }: Run): ClaimResult => ({
  runId: id,
  taskId: task,
  attempt,
  phase,
})

/** The card runs from here on; what held back its start is over. */
const openRun = (task: Task, run: Run): Accepted<ClaimResult> =>
  accept(claimResult(run), {
    changes: [
      { op: 'insert_run', row: run },
      {
        op: 'update_task',
        id: task.id,
        patch: {
          ...NO_WAITS,
          status: 'running',
          currentRunId: run.id,
          startedAt: task.startedAt ?? run.startedAt,
          ...(task.workspace.kind === 'scratch' ? {} : { workspace: task.workspace }),
        },
      },
    ],
    events: [
      {
        kind: 'claimed',
        taskId: task.id,
        runId: run.id,
        data: { attempt: run.attempt, agent: run.agent, machine: run.machine, phase: run.phase, from: task.status },
      },
    ],
  })

/** The loser is told who has it: a person by name, an agent with the machine it runs on. */
function lost({ id, currentRunId }: Task, run: Run | undefined): Refused {
  const holder = run?.agent ?? run?.claimedBy ?? null
  const by = holder === null ? '' : ` by ${holder}${run?.machine == null ? '' : ` on ${run.machine}`}`
  return refuse('claim_lost', `Card ${id} is already running as ${currentRunId}${by}.`, {
    id,
    currentRunId,
    by: holder,
  })
}

/** The same claim sent again, after an answer that never arrived. */
function repeatedClaim(task: Task, open: Run | undefined, input: { runId: Run['id']; tokenHash: string }) {
  if (open && open.id === input.runId && open.tokenHash === input.tokenHash) return accept(claimResult(open))
  return refuse('run_over', `Run ${input.runId} is over: claim with a new run id.`, { runId: input.runId })
}

/** A ready card with an open parent was made ready by mistake: it goes back to waiting, on the record. */
function rejected(task: Task, reason: Reason, openParents: readonly TaskId[]): Refused {
  const details = { id: task.id, reason }
  // Surfaces render their own sentence from the reason; this one is for logs.
  const message = `Card ${task.id} cannot start now (${reason.code}).`
  if (reason.code === 'cap_reached') return refuse('capped', message, details)
  if (reason.code === 'workspace_sweeping' || reason.code === 'directory_busy')
    return refuse(reason.code, message, details)
  if (reason.code === 'commands_unapproved' && task.commandsApproved)
    return unapproved(task, { message, details, beyond: reason.params.beyond })
  if (reason.code !== 'parents_open') return refuse('gate_closed', message, details)
  const demote = task.status === 'ready'
  return refuse(
    'parents_open',
    message,
    { ...details, parents: openParents },
    {
      changes: demote ? [{ op: 'update_task', id: task.id, patch: { status: 'todo' } }] : [],
      events: demote
        ? [{ kind: 'claim_rejected', taskId: task.id, data: { reason: 'parents_open', parents: openParents } }]
        : [],
    },
  )
}

/** The agent that is to run the card has changed since its commands were approved: a person approves them again. */
const unapproved = (
  task: Task,
  { message, details, beyond }: { message: string; details: Refused['details']; beyond: Beyond | null },
): Refused =>
  refuse('gate_closed', message, details, {
    changes: [{ op: 'update_task', id: task.id, patch: { commandsApproved: false } }],
    events: [{ kind: 'approval_needed', taskId: task.id, data: { reason: beyond } }],
  })

/** A person takes a card themselves: no lease, no place, no deadline; a verb ends it. */
export const claimManual = defineVerb({
  name: 'claim_manual',
  input: z.object({ task: taskId, runId }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input }) => ({
    openParents: { fact: 'open_parents' as const, child: input.task },
    lastAttempt: { fact: 'last_attempt' as const, task: input.task },
    repeated: { fact: 'run_exists' as const, id: input.runId },
  }),
  decide: ({ rows, board, facts, input, actor, now }) => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    const open = rows.runs.get(task.id)
    if (facts.repeated !== null && open?.id === input.runId) return accept(claimResult(open))
    if (facts.repeated !== null)
      return refuse('run_over', `Run ${input.runId} is over: claim with a new run id.`, { runId: input.runId })
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker works on the card it was started for.')
    if (task.status === 'running') return lost(task, rows.runs.get(task.id))
    const [first] = reasonsAgainstManual({ task, board, openParents: facts.openParents, directoryUser: null })
    if (first) return rejected(task, first, facts.openParents)
    const run = blankRun(task, { id: input.runId, attempt: facts.lastAttempt + 1, now, claimedBy: actorName(actor) })
    return openRun(task, { ...run, kind: 'manual', agent: null })
  },
})
