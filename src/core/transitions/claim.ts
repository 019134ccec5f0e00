import * as z from 'zod'
import type { Account } from '../account.ts'
import {
  awaitsProbe,
  possibleSelfReviewer,
  limitsFor,
  reasonsAgainstManual,
  reasonsToWait,
  runnerOf,
} from '../gates/admission.ts'
import type { Reason } from '../reasons/reason.ts'
import { actorName } from '../actor.ts'
import type { Board } from '../board.ts'
import { initialChecks } from '../required-checks.ts'
import { approvalCauseOf } from '../gates/command-approval.ts'
import type { ApprovalCause } from '../gates/command-approval.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Accepted, Change, Context, Reservation, Refused, ScopeRows } from '../decision.ts'
import type { FactQueries } from '../facts.ts'
import { fieldsOfClaim } from '../input/claim-input.ts'
import { runId, taskId } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import { dispatches } from '../limits/lease.ts'
import { NO_WAITS } from '../moves.ts'
import type { Run } from '../run.ts'
import type { SlotKey } from '../slot.ts'
import { isInReview, isReady, isRunning } from '../status.ts'
import type { Task } from '../task.ts'
import { verificationOf } from '../gates/verification.ts'
import { folderOwner, pinnedBranch } from '../gates/workspace-gates.ts'
import type { BranchHolder } from '../gates/workspace-gates.ts'
import { dispatcherSuperseded, findTask, isRefused } from './guards.ts'
import { blankRun } from './runs.ts'

type ClaimInput = z.infer<typeof fieldsOfClaim>

function claimFacts({ rows, input, board }: { rows: ScopeRows; input: ClaimInput; board: Board }) {
  const task = rows.tasks.get(input.task)
  const path = (task && claimedDirectory(task, input.directory)) ?? ''
  const pinned = (task && pinnedBranch(task)) ?? { repo: null, branch: null }
  return {
    openParents: { fact: 'open_parents' as const, child: input.task },
    openRuns: { fact: 'open_runs' as const, machine: input.machine, agent: input.agent, account: input.account },
    lastAttempt: { fact: 'last_attempt' as const, task: input.task },
    repeated: { fact: 'run_exists' as const, id: input.runId },
    worked: {
      fact: 'worked_on' as const,
      agent: task && isInReview(task.status) ? possibleSelfReviewer(task, board) : null,
      ids: [input.task],
    },
    directoryUser: { fact: 'directory_user' as const, path, except: input.task },
    branchHolders: { fact: 'branch_holders' as const, ...pinned, except: input.task },
    // The query for the author of the body runs only if the agent runs the body as a script.
    bodyWriter: { fact: 'body_writer' as const, task: input.trusted === null ? null : input.task },
    probe: { fact: 'run_exists' as const, id: rows.account?.probeRunId ?? input.runId },
    verification: verificationOf(task),
  }
}
type ClaimContext = Context<ClaimInput, ReturnType<typeof claimFacts> & FactQueries>

/**
 * Claims a ready card, or a card in review, for an agent. One transaction checks the gates again, counts the slots and
 * opens the run. If another claim was faster, the refusal names the owner.
 */
export const claim = defineVerb({
  name: 'claim',
  input: fieldsOfClaim,
  scope: (input, board) => {
    const reserves: SlotKey[] = [
      { kind: 'machine', name: input.machine },
      { kind: 'board', name: board },
      { kind: 'agent', name: input.agent },
    ]
    if (input.account !== null) reserves.push({ kind: 'account', name: input.account })
    return {
      tasks: [input.task],
      graph: input.pinned,
      reserves,
      account: input.account,
      dispatcher: { machine: input.machine, access: 'read' },
    }
  },
  facts: claimFacts,
  decide: (context) => {
    const { rows, facts, input } = context
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    if (facts.repeated !== null) return repeatedClaim(task, rows.runs.get(task.id), input)
    const lost = lostRace(context, task)
    if (lost) return lost
    const account = accountToSpend(context)
    const reason = firstReason(context, task, account)
    if (reason) return rejected(task, reason, facts.openParents)
    return openAgentRun(context, task, account)
  },
})

/** Whether the board's reviewer has worked on the card itself. */
const isReviewerAuthor = ({ facts }: ClaimContext): boolean => facts.worked.length > 0

/** Refuses the claim if the card or the active dispatcher changed after the card was read. */
function lostRace(context: ClaimContext, task: Task): Refused | null {
  const { rows, board, input, now } = context
  if (!dispatches(rows.dispatcher, input.dispatcherTokenHash, now)) return dispatcherSuperseded(input.machine)
  if (isRunning(task.status)) return alreadyRunning(task, rows.runs.get(task.id))
  const runner = runnerOf(task, board, isReviewerAuthor(context))
  if (runner !== (input.insteadOf ?? input.agent))
    return refuse(
      'claim_lost',
      runner === null ? `Card ${task.id} is now unassigned.` : `Card ${task.id} now belongs to ${runner}.`,
      { id: task.id },
    )
  if (!input.pinned && pinnedBranch(task) !== null)
    return refuse('claim_lost', `The branch of card ${task.id} has changed meanwhile.`, { id: task.id })
  return null
}

/**
 * Returns the account for the new run. If the earlier probe ended without an answer, the account is free again, so that
 * another run may be the probe.
 */
function accountToSpend({ rows: { account }, facts: { probe } }: ClaimContext): Account | null {
  const isProbed = probe !== null && !probe.ended
  return account === null || isProbed ? account : { ...account, probeRunId: null }
}

function firstReason(context: ClaimContext, task: Task, account: Account | null): Reason | undefined {
  const { rows, board, facts, input, now } = context
  const { caps, machine } = input
  const approvalCause = approvalCauseOf(task, input, facts.bodyWriter)
  const reviewerIsAuthor = isReviewerAuthor(context)
  const { slots } = rows
  const { zone, agent, activeHours } = input
  return reasonsToWait({
    ...facts,
    reviewerIsAuthor,
    task,
    board,
    now,
    slots,
    account,
    caps,
    machine,
    approvalCause,
    localHours: zone === null ? null : { zone, agent: { name: agent, hours: activeHours } },
  })[0]
}

function openAgentRun(
  { rows, board, facts, input, actor, now }: ClaimContext,
  task: Task,
  account: Account | null,
): Accepted<ClaimResult> {
  const opened = blankRun(task, {
    id: input.runId,
    attempt: facts.lastAttempt + 1,
    now,
    claimedBy: actorName(actor),
  })
  const probe = input.probe || awaitsProbe(account, now)
  const run = { ...opened, ...agentRun(task, board, { ...input, probe }, now) }
  const claimed = openRun(inFolder(task, input.directory, facts.branchHolders), run, input.insteadOf)
  const limits = limitsFor(input.caps, board)
  const reservation: Reservation = {
    slots: rows.slots.map((slot) => ({ slot, limit: limits[slot.kind] })),
    task: task.id,
    directory: board.settings.sharedDirectories ? null : claimedDirectory(task, input.directory),
  }
  const changes: readonly Change[] = [{ op: 'reserve_capacity', reservation }, ...claimed.changes]
  return { ...claimed, changes: probe ? [...changes, ...markProbe(account, run.id, now)] : changes }
}

/** Marks this run as the probe of a paused account. Only the probe may reopen the account. */
const markProbe = (account: Account | null, probeRunId: Run['id'], now: number): Change[] =>
  account === null ? [] : [{ op: 'put_account', row: { ...account, probeRunId, updatedAt: now } }]

/** The directory of a `dir` card. This is null for all other cards. Several `dir` cards may name the same directory. */
const claimedDirectory = ({ workspace }: Task, resolved: string | null): string | null =>
  workspace.kind === 'dir' ? (resolved ?? workspace.path) : null

/**
 * Returns the card with the folder that its run will use: the resolved path of a directory, or the worktree of another
 * card.
 */
function inFolder(task: Task, directory: string | null, holders: readonly BranchHolder[]): Task {
  const { workspace } = task
  if (workspace.kind === 'dir')
    return directory === null ? task : { ...task, workspace: { ...workspace, path: directory } }
  const owner = folderOwner(task, holders)
  return owner === workspace.owner ? task : { ...task, workspace: { ...workspace, owner } }
}

/** The fields that only the run of an agent has: its owner, and the deadlines of its supervisor. */
const agentRun = (task: Task, { settings }: Board, input: ClaimInput, now: number): Partial<Run> => ({
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

/** Sets the card to running and clears its retry waits. */
const openRun = (task: Task, run: Run, insteadOf: string | null = null): Accepted<ClaimResult> =>
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
        data: {
          attempt: run.attempt,
          agent: run.agent,
          machine: run.machine,
          phase: run.phase,
          from: task.status,
          waitedMs: waitedMs(task, run.startedAt),
          ...(insteadOf === null ? {} : { insteadOf }),
        },
      },
    ],
  })

const waitedMs = ({ updatedAt, cooldownUntil, guardUntil }: Task, now: number): number =>
  Math.max(0, now - Math.max(updatedAt, cooldownUntil ?? 0, guardUntil ?? 0))

/** Refuses the claim and names the owner of the open run. The owner is a person, or an agent with its machine. */
function alreadyRunning({ id, currentRunId }: Task, run: Run | undefined): Refused {
  const holder = run?.agent ?? run?.claimedBy ?? null
  const by = holder === null ? '' : ` by ${holder}${run?.machine == null ? '' : ` on ${run.machine}`}`
  return refuse('claim_lost', `Card ${id} is already running as ${currentRunId}${by}.`, {
    id,
    currentRunId,
    by: holder,
  })
}

/** Answers a claim that the dispatcher sent again because the first answer was lost. */
function repeatedClaim(task: Task, open: Run | undefined, input: { runId: Run['id']; tokenHash: string }) {
  if (open && open.id === input.runId && open.tokenHash === input.tokenHash) return accept(claimResult(open))
  return refuse('run_over', `Run ${input.runId} is over: claim with a new run id.`, { runId: input.runId })
}

/** Refuses the claim. If the card is ready but has an unfinished parent, the card returns to todo. */
function rejected(task: Task, reason: Reason, openParents: readonly TaskId[]): Refused {
  const details = { id: task.id, reason }
  // This sentence is for logs. Each surface writes its own sentence from the reason of the refusal.
  const message = `Card ${task.id} cannot start now (${reason.code}).`
  if (reason.code === 'cap_reached') return refuse('capped', message, details)
  if (reason.code === 'workspace_sweeping' || reason.code === 'directory_busy')
    return refuse(reason.code, message, details)
  if (reason.code === 'commands_unapproved' && task.commandsApproved)
    return unapproved(task, { message, details, cause: reason.params.beyond })
  if (reason.code !== 'parents_open') return refuse('gate_closed', message, details)
  const demote = isReady(task.status)
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

/**
 * Refuses the claim and withdraws the approval of the card's commands, because the agent of the card has changed since.
 * A person must approve the commands again.
 */
const unapproved = (
  task: Task,
  { message, details, cause }: { message: string; details: Refused['details']; cause: ApprovalCause | null },
): Refused =>
  refuse('gate_closed', message, details, {
    changes: [{ op: 'update_task', id: task.id, patch: { commandsApproved: false } }],
    events: [{ kind: 'approval_needed', taskId: task.id, data: { reason: cause } }],
  })

/** Claims a card for a person. The run has no lease, no slot and no deadline. A command of the person ends it. */
export const claimManual = defineVerb({
  name: 'claim_manual',
  input: z.object({ task: taskId, runId }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ rows, input }) => ({
    verification: verificationOf(rows.tasks.get(input.task)),
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
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker may work only on its own card.')
    if (isRunning(task.status)) return alreadyRunning(task, rows.runs.get(task.id))
    const { openParents, verification } = facts
    const [first] = reasonsAgainstManual({ task, board, now, openParents, verification, directoryUser: null })
    if (first) return rejected(task, first, openParents)
    const run = blankRun(task, { id: input.runId, attempt: facts.lastAttempt + 1, now, claimedBy: actorName(actor) })
    return openRun(task, { ...run, kind: 'manual', agent: null })
  },
})
