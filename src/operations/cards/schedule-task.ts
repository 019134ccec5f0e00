import { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const scheduleTask = defineOperation({
  name: 'schedule',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Let a card wait until the given time, or until a person unblocks it.',
  schemas: ({ z, time, reason, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      at: time.nullable().default(null).describe('When the card continues; default: when a person unblocks the card'),
      reason,
    }),
    output: taskView,
  }),
  run: async (context, { task, at, reason }) => {
    if (at !== null) await requireFuture(context.store, at)
    return actOnCard(context, task, {
      verb: 'schedule',
      input: { at, reason },
      participle: 'scheduled',
      // Compares the person's command and not the status, because the scheduled time may have passed while the run
      // ended.
      applied: (_, run) => run.intent?.verb === 'schedule',
    })
  },
})

/** Throws an error if the time is in the past. The clock of the store decides, because this clock wakes the card. */
export async function requireFuture(store: Pick<Store, 'now'>, at: number, field = 'at'): Promise<void> {
  if (at > (await store.now())) return
  throw new BoardError('invalid_input', `${new Date(at).toISOString()} is in the past. Give a future time.`, {
    details: { field, at },
  })
}
