import { z } from 'zod'
import { reasonsAgainstManual, reasonsToWait, runnerOf } from '../admission.ts'
import type { Admission, Reason } from '../admission.ts'
import { actorName } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { fieldsOfClaim } from '../claim-input.ts'
import { runId, taskId } from '../fields.ts'
import type { TaskId } from '../ids.ts'
import { dispatches } from '../lease.ts'
import type { Run } from '../run.ts'
import type { SlotKey } from '../slot.ts'
import type { Task } from '../task.ts'
import { findTask, isRefused } from './guards.ts'
import { blankRun } from './runs.ts'

const NO_CAPS = { machine: null, agent: null, account: null } as const

/**
 * A dispatcher takes a ready card (or one in review) for an agent: gates re-checked, places counted, run opened, in
 * one transaction. Losing is a result; the loser is told who has it.
 */
export const claim = defineVerb({
  name: 'claim',
  input: fieldsOfClaim,
  scope: (input, board) => {
    const slots: SlotKey[] = [
      { kind: 'machine', name: input.machine },
      { kind: 'board', name: board },
      { kind: 'agent', name: input.agent },
    ]
    if (input.account !== null) slots.push({ kind: 'account', name: input.account })
    return { tasks: [input.task], slots, account: input.account, dispatcher: input.machine }
  },
  facts: ({ rows, input, now, board }) => {
    const task = rows.tasks.get(input.task)
    const path = task?.workspace.kind === 'dir' ? (task.workspace.path ?? '') : ''
    return {
      openParents: { fact: 'open_parents' as const, child: input.task },
      openRuns: { fact: 'open_runs' as const, machine: input.machine, agent: input.agent, account: input.account },
      attempts: { fact: 'attempts' as const, task: input.task, since: now - board.settings.attemptsWindowMs },
      repeated: { fact: 'run_exists' as const, id: input.runId },
      directoryUser: { fact: 'directory_user' as const, path, except: input.task },
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
    if (task.status === 'running') return lost(task)
    if (runnerOf(task, board) !== input.agent)
      return refuse('claim_lost', `Card ${task.id} now belongs to ${runnerOf(task, board) ?? 'nobody'}.`, {
        id: task.id,
      })

    const { openParents, openRuns, directoryUser } = facts
    const { slots, account } = rows
    const admission: Admission = {
      task,
      board,
      now,
      openParents,
      openRuns,
      directoryUser,
      slots,
      account,
      caps: input.caps,
    }
    const [first] = reasonsToWait(admission)
    if (first) return rejected(task, first, facts.openParents)

    const phase = task.status === 'review' ? 'review' : 'work'
    const run: Run = {
      ...blankRun(task, { id: input.runId, attempt: facts.attempts.total + 1, now, claimedBy: actorName(actor) }),
      phase,
      agent: input.agent,
      account: input.account,
      machine: input.machine,
      tokenHash: input.tokenHash,
      dispatcher: input.dispatcher,
      startDeadlineAt: now + board.settings.startDeadlineMs,
      leaseUntil: now + Math.max(board.settings.leaseMs, board.settings.startDeadlineMs),
      maxRuntimeMs: task.maxRuntimeMs ?? input.maxRuntimeMs,
      probe: input.probe,
      libVersion: input.libVersion,
    }
    return accept(
      { runId: run.id, taskId: task.id, attempt: run.attempt, phase: run.phase },
      {
        changes: [
          { op: 'insert_run', row: run },
          {
            op: 'update_task',
            id: task.id,
            patch: {
              status: 'running',
              currentRunId: run.id,
              startedAt: task.startedAt ?? now,
              cooldownUntil: null,
              cooldownReason: null,
              guardUntil: null,
              guardReason: null,
            },
          },
        ],
        events: [claimedEvent(task, run)],
      },
    )
  },
})

const claimedEvent = (task: Task, run: Run) =>
  ({
    kind: 'claimed',
    taskId: task.id,
    runId: run.id,
    data: { attempt: run.attempt, agent: run.agent, machine: run.machine, phase: run.phase, from: task.status },
  }) as const

const lost = (task: Task): Refused =>
  refuse('claim_lost', `Card ${task.id} is already running as ${task.currentRunId}.`, {
    id: task.id,
    currentRunId: task.currentRunId,
  })

/** The same claim sent again, after an answer that never arrived. */
function repeatedClaim(task: Task, open: Run | undefined, input: { runId: Run['id']; tokenHash: string }) {
  if (open && open.id === input.runId && open.tokenHash === input.tokenHash)
    return accept({ runId: open.id, taskId: task.id, attempt: open.attempt, phase: open.phase })
  return refuse('run_over', `Run ${input.runId} is over: claim with a new run id.`, { runId: input.runId })
}

/** A ready card with an open parent was made ready by mistake: it goes back to waiting, on the record. */
function rejected(task: Task, reason: Reason, openParents: readonly TaskId[]): Refused {
  const details = { id: task.id, reason }
  if (reason.gate === 'cap') return refuse('capped', reason.message, details)
  if (reason.gate === 'workspace') return refuse('workspace_sweeping', reason.message, details)
  if (reason.gate !== 'parents') return refuse('gate_closed', `${task.id}: ${reason.message}`, details)
  const demote = task.status === 'ready'
  return refuse(
    'parents_open',
    `${task.id}: ${reason.message}`,
    { ...details, parents: openParents },
    {
      changes: demote ? [{ op: 'update_task', id: task.id, patch: { status: 'todo' } }] : [],
      events: demote
        ? [{ kind: 'claim_rejected', taskId: task.id, data: { reason: 'parents_open', parents: openParents } }]
        : [],
    },
  )
}

/** A person takes a card themselves: no lease, no place, no deadline; a verb ends it. */
export const claimManual = defineVerb({
  name: 'claim_manual',
  input: z.object({ task: taskId, runId }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input, now, board }) => ({
    openParents: { fact: 'open_parents' as const, child: input.task },
    attempts: { fact: 'attempts' as const, task: input.task, since: now - board.settings.attemptsWindowMs },
    repeated: { fact: 'run_exists' as const, id: input.runId },
  }),
  decide: ({ rows, board, facts, input, actor, now }) => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    const open = rows.runs.get(task.id)
    if (facts.repeated !== null && open?.id === input.runId)
      return accept({ runId: open.id, taskId: task.id, attempt: open.attempt, phase: open.phase })
    if (facts.repeated !== null)
      return refuse('run_over', `Run ${input.runId} is over: claim with a new run id.`, { runId: input.runId })
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker works on the card it was started for.')
    if (task.status === 'running') return lost(task)
    const [first] = reasonsAgainstManual({
      task,
      board,
      now,
      openParents: facts.openParents,
      slots: [],
      account: null,
      openRuns: { machine: 0, board: 0, agent: 0, account: 0 },
      caps: NO_CAPS,
      directoryUser: null,
    })
    if (first) return rejected(task, first, facts.openParents)
    const run: Run = {
      ...blankRun(task, { id: input.runId, attempt: facts.attempts.total + 1, now, claimedBy: actorName(actor) }),
      kind: 'manual',
      phase: task.status === 'review' ? 'review' : 'work',
      agent: null,
    }
    return accept(
      { runId: run.id, taskId: task.id, attempt: run.attempt, phase: run.phase },
      {
        changes: [
          { op: 'insert_run', row: run },
          {
            op: 'update_task',
            id: task.id,
            patch: { status: 'running', currentRunId: run.id, startedAt: task.startedAt ?? now },
          },
        ],
        events: [claimedEvent(task, run)],
      },
    )
  },
})
