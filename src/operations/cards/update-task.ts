import { BoardError } from '../../core/errors.ts'
import type { RunId } from '../../core/ids.ts'
import { isArchived, isDone, isScheduled } from '../../core/status.ts'
import type { Status } from '../../core/vocabulary.ts'
import { ASKED_BLOCK_KINDS, STATUSES } from '../../core/vocabulary.ts'
import type { Run } from '../../core/run.ts'
import type { VerbInput } from '../../core/transitions/index.ts'
import { thisHost } from '../../processes/identity.ts'
import type { Store, TaskView } from '../../storage/store.ts'
import { newCommentId, newRunId } from '../../util/mint.ts'
import { definedOnly } from '../../util/objects.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext } from '../shared/operation.ts'
import { completeWithArtifacts } from './complete-with-artifacts.ts'
import { checkSkills } from './edit-task.ts'
import { finishCard } from './finish-card.ts'
import { requireGoalAgentOf } from './require-goal-agent.ts'
import { requireFuture } from './schedule-task.ts'

type UpdateInput = Omit<VerbInput<'update'>, 'task'>

/** Updates a card. All changes are one transaction, so if one change is refused, no change is made. */
export const updateTask = defineOperation({
  name: 'update',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Change the fields, the assignee, the result and the status of a card at once.',
  // In the input, a missing field keeps its value, and null empties the field.
  schemas: ({ z, someEditShape, cardRef, name, line, text, json, time, taskView }) => ({
    input: z.object({
      ...someEditShape,
      task: cardRef,
      assignee: name.nullable().exactOptional().describe('An agent; null: unassigned'),
      status: z.enum(STATUSES).exactOptional().describe('The new status'),
      reason: line.nullable().default(null).describe('Why the status changes; the next worker reads it'),
      blockKind: z.enum(ASKED_BLOCK_KINDS).default('needs_input').describe('With status blocked: the kind of obstacle'),
      scheduledAt: time.nullable().default(null).describe('With status scheduled: when the card continues'),
      result: text.exactOptional().describe('The result of a card that is finished or becomes done'),
      summary: text.exactOptional().describe('Its summary'),
      metadata: json.exactOptional().describe('A JSON object to keep with the card'),
      resetFailures: z.boolean().default(false).describe('Reset the failure count of the card'),
      freshWorkspace: z
        .boolean()
        .default(false)
        .describe('Start in an empty workspace; the files of the card stay on the other machine'),
      clearClaim: z.boolean().default(false).describe('Stop the run of the card, as reclaim does'),
      unchangedSince: time
        .nullable()
        .default(null)
        .describe('Refuse the update if the updatedAt of the card is not this time'),
    }),
    output: taskView,
  }),
  run: async (context, given): Promise<TaskView> => {
    const { task, status, reason, blockKind, scheduledAt, ...fields } = given
    const { assignee, result, summary, metadata, resetFailures, freshWorkspace, clearClaim, unchangedSince, ...set } =
      fields
    const hasHandOff = result !== undefined || summary !== undefined || metadata !== undefined
    await requireValid(context.store, { status, reason, scheduledAt })
    const isEmpty = Object.keys(set).length === 0 && assignee === undefined && status === undefined && !hasHandOff
    if (isEmpty && !resetFailures && !freshWorkspace && !clearClaim) throw refused('Nothing to change.')
    if (set.skills) await checkSkills(context, task, { skills: set.skills, workspace: set.workspace })
    await requireGoalAgentOf(context, task, definedOnly({ goal: set.goal, assignee }))
    const ids = { runId: newRunId(), commentId: newCommentId() }
    const input: UpdateInput = {
      set,
      resetFailures,
      clearClaim,
      freshFrom: freshWorkspace ? thisHost({ home: context.options.home }).machine.id : null,
      ...(assignee !== undefined && { assignee }),
      handOff: hasHandOff ? { result: result ?? null, summary: summary ?? null, metadata: metadata ?? null } : null,
      to: status === undefined ? null : { status, reason, blockKind, scheduledAt, ...ids },
      unchangedSince,
    }
    if (status !== undefined && isDone(status)) return finishUpdate(context, task, { ...ids, assignee, input })
    return actOnCard(context, task, {
      verb: 'update',
      input,
      participle: 'updated',
      applied: (card, run) =>
        clearClaim ? run.outcome === 'reclaimed' : status === undefined || (APPLIED[status]?.(card, run) ?? true),
    })
  },
})

interface Finishing {
  readonly runId: RunId
  readonly assignee: string | null | undefined
  readonly input: UpdateInput
}

/** Completes the card in the same way as `complete` does: the files are attached and the checks run. */
function finishUpdate(context: BoardContext, task: string, { runId, assignee, input }: Finishing): Promise<TaskView> {
  const { to, handOff } = input
  if (to == null) throw new BoardError('internal', 'A card becomes done only by a change of status.')
  const metadata = handOff?.metadata ?? null
  return completeWithArtifacts(context, { task, runId, artifacts: [], metadata }, (given) =>
    finishCard(context, task, {
      verb: 'update',
      runId,
      assignee,
      inputWith: (checks) => ({
        ...input,
        handOff: handOff == null ? null : { ...handOff, metadata: given.metadata },
        to: { ...to, ...checks, files: given.files },
      }),
      participle: 'completed',
    }),
  )
}

/** Whether the status changed when the run ended. A later command may have replaced this change. */
const APPLIED: Readonly<Partial<Record<Status, (task: TaskView, run: Run) => boolean>>> = {
  blocked: (_, { outcome }) => outcome === 'blocked',
  archived: ({ status }) => isArchived(status),
  // Compares the person's command and not the status, because the scheduled time may have passed while the run ended.
  scheduled: (_, { intent }) => intent?.verb === 'schedule',
}

interface StatusFields {
  readonly status: Status | undefined
  readonly reason: string | null
  readonly scheduledAt: number | null
}

async function requireValid(store: Pick<Store, 'now'>, { status, reason, scheduledAt }: StatusFields): Promise<void> {
  if (status === undefined && reason !== null) throw refused('A reason needs a status.', 'reason')
  if (scheduledAt === null) return
  if (status === undefined || !isScheduled(status))
    throw refused('A scheduledAt needs the status scheduled.', 'scheduledAt')
  await requireFuture(store, scheduledAt, 'scheduledAt')
}

const refused = (message: string, field: string | null = null): BoardError =>
  new BoardError('invalid_input', message, { details: { field } })
