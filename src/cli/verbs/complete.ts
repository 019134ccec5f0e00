import { BoardError } from '../../core/errors.ts'
import { completeTask } from '../../operations/complete-task.ts'
import { cardIds, jsonObject, text } from '../flags.ts'
import { answerMany, oneByOne } from '../many.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'steer',
  operation: completeTask,
  args: { ids: cardIds },
  flags: { summary: text(), result: text(), metadata: jsonObject() },
  examples: ['muster complete t_4k2 --summary "Login works again"', 'muster complete t_4k2 t_8x1'],
  run: async (call, { ids, summary, result, metadata }) => {
    if (ids.length > 1 && (summary !== undefined || metadata !== undefined))
      throw new BoardError('invalid_input', 'A summary or metadata tells of one card: complete these one by one.')
    const answers = await oneByOne(ids, (task) =>
      call.ask(completeTask, { task, summary: summary ?? null, result: result ?? null, metadata: metadata ?? null }),
    )
    answerMany(call, answers, (task) => `Completed ${task.id}`)
  },
})
