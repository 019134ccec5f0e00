import { recordHeartbeat } from '../../../operations/runs/record-heartbeat.ts'
import { cardId, text } from '../../flags.ts'
import { resultLine } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: recordHeartbeat,
  args: { id: cardId },
  flags: { note: text() },
  examples: ['muster heartbeat t_4k2 --note "half of the tests pass"'],
  run: async (cli, { id, note }) => {
    const task = await cli.ask(recordHeartbeat, { task: id, note: note ?? null })
    cli.answer(task, resultLine('Recorded heartbeat of')(task))
  },
})
