/** Chooses the verb that gives a card the status that a caller asks for. */
import * as z from 'zod'
import { storedFileSchema } from '../attachment.ts'
import { refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { restoredStatus } from '../gates/readiness.ts'
import { commentId, json, line, runId, text, time } from '../input/fields.ts'
import type { Run } from '../run.ts'
import { isArchived, isInReview, isInTriage, isReady, isRunning, resumesInReview } from '../status.ts'
import type { Task } from '../task.ts'
import { ASKED_BLOCK_KINDS, STATUSES } from '../vocabulary.ts'
import type { Status } from '../vocabulary.ts'
import { block, unblock } from './block.ts'
import { approve, checkerField, complete } from './complete.ts'
import { stepOf } from './decide-steps.ts'
import type { Step } from './decide-steps.ts'
import { statusBeforeRun } from './guards.ts'
import { reopen } from './reopen.ts'
import { requestReview } from './review.ts'
import { archive, unarchive } from './trash.ts'
import { specify } from './triage.ts'
import { promote, schedule } from './waiting.ts'

/** The wanted status, and the values that some of the verbs need. */
export const statusChange = z.object({
  status: z.enum(STATUSES),
  reason: line.nullable().default(null),
  blockKind: z.enum(ASKED_BLOCK_KINDS).default('needs_input'),
  scheduledAt: time.nullable().default(null),
  /** The id of the run that the change may add. */
  runId,
  commentId,
  /** Checks from the file of the card's agent, and the machine that runs them. */
  checks: z.array(text).default([]),
  checker: checkerField,
  /** Result files that the caller has already stored. */
  files: z.array(storedFileSchema).max(100).default([]),
})
export type StatusChange = z.infer<typeof statusChange>

/** The hand-off of a card that becomes done or goes to review. */
export const handOffFields = z.object({
  result: text.nullable().default(null),
  summary: text.nullable().default(null),
  metadata: json.nullable().default(null),
})
type HandOffFields = z.infer<typeof handOffFields>

interface Wanted {
  readonly task: Task
  readonly run: Run | null
  readonly to: StatusChange
  readonly handOff: HandOffFields | null
}

/**
 * Returns the step to the wanted status, or null if the card already has this status. Returns a refusal if no verb
 * leads to the status.
 */
export function stepToStatus(wanted: Wanted): Step | Refused | null {
  const { task, to } = wanted
  const isMoved = to.status === 'scheduled' && to.scheduledAt !== null && to.scheduledAt !== task.scheduledAt
  if (task.status === to.status && !isMoved) return null
  return STEPS[to.status](wanted)
}

const STEPS: { readonly [S in Status]: (wanted: Wanted) => Step | Refused } = {
  triage: ({ task }) => unreachable(task, 'no command moves a card to triage'),
  todo: stepToWork,
  ready: stepToWork,
  running: ({ task }) => unreachable(task, 'only a claim starts it'),
  scheduled: ({ task, to: { scheduledAt, reason } }) => stepOf(schedule, { task: task.id, at: scheduledAt, reason }),
  blocked: stepToBlocked,
  review: stepToReview,
  done: stepToDone,
  archived: ({ task, to: { reason } }) => stepOf(archive, { task: task.id, reason }),
}

function stepToWork({ task, to }: Wanted): Step | Refused {
  const { id, status } = task
  const answer = to.reason === null ? null : { id: to.commentId, text: to.reason }
  if (isRunning(status)) return unreachable(task, 'to stop its run, set clearClaim')
  if (isArchived(status) && restoredStatus(task, task.archivedFrom ?? 'ready') === to.status) return restore(task, to)
  if (isArchived(status) || status === 'done' || isInReview(status)) return stepOf(reopen, { task: id, answer })
  if (status === 'blocked' || status === 'scheduled') return stepOf(unblock, { task: id, answer, reset: false })
  if (isInTriage(status) && to.status === 'todo') return stepOf(specify, { task: id, plan: null })
  if (isReady(status)) return unreachable(task, 'it waits only for unfinished parents')
  return stepOf(promote, { task: id, force: false, answer })
}

function stepToBlocked({ task, to }: Wanted): Step | Refused {
  const { reason, blockKind: kind, runId: id } = to
  if (reason !== null) return stepOf(block, { task: task.id, runId: id, reason, kind })
  return refuse('invalid_input', `To block card ${task.id}, give a reason.`, { id: task.id, field: 'reason' })
}

function stepToReview({ task, run, to, handOff }: Wanted): Step | Refused {
  const { id, status } = task
  if (isArchived(status)) return restore(task, to)
  if (isRunning(status) && isInReview(statusBeforeRun(task, run)))
    return unreachable(task, 'to stop its run, set clearClaim')
  if (resumesInReview(task)) return stepOf(unblock, { task: id, answer: null, reset: false })
  const { summary = null, metadata = null } = handOff ?? {}
  return stepOf(requestReview, {
    task: id,
    runId: to.runId,
    summary: summary ?? to.reason,
    metadata,
    reviewer: null,
  })
}

function stepToDone({ task, run, to, handOff }: Wanted): Step {
  if (isArchived(task.status)) return restore(task, to)
  const { result = null, summary = null, metadata = null } = handOff ?? {}
  return stepOf(isInReview(statusBeforeRun(task, run)) ? approve : complete, {
    task: task.id,
    runId: to.runId,
    summary: summary ?? to.reason,
    result,
    metadata,
    createdCards: [],
    files: to.files,
    force: null,
    checks: to.checks,
    checker: to.checker,
  })
}

const restore = ({ id }: Task, { reason }: StatusChange): Step => stepOf(unarchive, { task: id, reason })

const unreachable = ({ id, status }: Task, why: string): Refused =>
  refuse('wrong_status', `Card ${id} is ${status}: ${why}.`, { id, status })

/** Whether the change of status stores the hand-off. If the card is already done, only its result can be corrected. */
export const takesHandOff = (
  { status }: Task,
  to: StatusChange | null,
  { result }: Pick<HandOffFields, 'result'>,
): boolean =>
  to !== null &&
  status !== to.status &&
  !isArchived(status) &&
  (to.status === 'done' || (to.status === 'review' && result === null))

/** Builds the refusal of a change that would end in another status than the caller asked for. */
export const otherStatus = ({ id, status }: Task, { is, wanted }: { is: Status; wanted: Status }): Refused =>
  refuse(
    'wrong_status',
    `Card ${id} would be ${is}, not ${wanted}${is === 'todo' ? ', because its parents are unfinished' : ''}.`,
    { id, status, would: is },
  )
