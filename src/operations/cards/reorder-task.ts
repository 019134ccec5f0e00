import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const reorderTask = defineOperation({
  name: 'reorder',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Move a card to another place in its column. Ready cards of an agent start in this order.',
  schemas: ({ z, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      before: cardRef.exactOptional().describe('Move the card directly before this card of its column'),
      after: cardRef.exactOptional().describe('Move the card directly after this card of its column'),
      to: z.enum(['first', 'last']).exactOptional().describe('Move it to the start or the end of its column'),
    }),
    output: taskView,
  }),
  run: async (context, { task, ...place }) =>
    actOnCard(context, task, {
      verb: 'reorder',
      input: await placeIn(context.store, place),
      participle: 'moved',
    }),
})

interface AskedPlace {
  readonly before?: string
  readonly after?: string
  readonly to?: 'first' | 'last'
}

export const notOnePlace = (): BoardError =>
  new BoardError('invalid_input', 'Name one place: before a card, after a card, or to the first or last place.')

async function placeIn(
  store: Store,
  { before, after, to }: AskedPlace,
): Promise<{ readonly anchor: TaskId | null; readonly side: 'above' | 'below' }> {
  const anchor = before ?? after
  if ([before, after, to].filter((one) => one !== undefined).length !== 1) throw notOnePlace()
  return {
    anchor: anchor === undefined ? null : (await resolveTask(store, anchor)).id,
    side: before !== undefined || to === 'first' ? 'above' : 'below',
  }
}
