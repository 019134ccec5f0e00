import { unblockTask } from '../../operations/unblock-task.ts'
import { idsThenReason } from '../flags.ts'
import { reasonFlags, steer, targetsOf } from '../steer.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'steer',
  operation: unblockTask,
  args: { cards: idsThenReason },
  flags: reasonFlags,
  examples: ['muster unblock t_4k2', 'muster unblock t_4k2 the key has come'],
  run: async (call, given) => {
    const { ids, reason } = targetsOf(given)
    await steer(call, ids, 'Unblocked', (task, onPending) => call.ask(unblockTask, { task, reason }, onPending))
  },
})
