import { BoardError } from '../../core/errors.ts'
import type { TaskView } from '../../storage/store.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireGoalAgentOf } from './require-goal-agent.ts'

export const reassignTask = defineOperation({
  name: 'reassign',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Assign a card to another agent; with `reclaim`, even while the card runs.',
  schemas: ({ z, name, reason, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      assignee: name.describe('The new assignee'),
      reclaim: z.boolean().default(false).describe('Stop the run of the card first, if the card is running'),
      reason,
    }),
    output: taskView,
  }),
  run: async (context, { task, assignee, reclaim, reason }) => {
    await requireGoalAgentOf(context, task, { assignee })
    const assign = (): Promise<TaskView> =>
      actOnCard(context, task, { verb: 'assign', input: { assignee }, participle: 'reassigned' })
    const takeBack = (): Promise<TaskView> =>
      actOnCard(context, task, {
        verb: 'reclaim',
        input: { reason, assignee },
        participle: 'reassigned',
        applied: (now, run) => run.outcome === 'reclaimed' && now.assignee === assignee,
      })
    // A run can start or end between the two transactions. If one command is refused because of this, the other command
    // is tried.
    return reclaim ? assign().catch(after(isLiveRunError, takeBack)).catch(after(hasEnded, assign)) : assign()
  },
})

const isLiveRunError = (error: BoardError): boolean => error.code === 'run_live'
/**
 * Whether the run had ended before the card was reclaimed. An error with an `outcome` has another cause and is not
 * caught.
 */
const hasEnded = (error: BoardError): boolean => error.code === 'wrong_status' && error.details['outcome'] === undefined

/** Returns an error handler that calls `otherwise` for a certain kind of error, and throws any other error again. */
const after =
  (isMeant: (error: BoardError) => boolean, otherwise: () => Promise<TaskView>) =>
  (error: unknown): Promise<TaskView> => {
    if (error instanceof BoardError && isMeant(error)) return otherwise()
    throw error
  }
