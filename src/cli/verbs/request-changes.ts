import { BoardError } from '../../core/errors.ts'
import { requestChanges } from '../../operations/request-changes.ts'
import { cardId, text, words } from '../flags.ts'
import { said } from '../steer.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'steer',
  operation: requestChanges,
  args: { id: cardId, why: { ...words('what has to change'), field: 'reason' } },
  flags: { reason: text('<text>', 'the same, as a flag') },
  examples: ['muster request-changes t_4k2 the tests do not cover an empty list'],
  run: async (call, { id, why, reason }) => {
    const change = why ?? reason
    if (change === undefined || (why !== undefined && reason !== undefined))
      throw new BoardError('invalid_input', 'Say once what has to change: muster request-changes <id> <why...>.')
    const task = await call.ask(requestChanges, { task: id, reason: change })
    call.answer(task, said('Sent back')(task))
  },
})
