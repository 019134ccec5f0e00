import { pickEntry } from '../../../operations/tournaments/pick-entry.ts'
import { cardId, text } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: pickEntry,
  args: {
    id: { ...cardId, describe: 'the card of the tournament', brief: 'tournament', field: 'task' },
    entry: { ...cardId, describe: 'the entry that wins', brief: 'winner', field: 'entry' },
  },
  flags: { reason: text('<text>', 'why it wins, for the history') },
  examples: ['muster pick t_4k2 t_8x1', 'muster pick t_4k2 t_8x1 --reason "simpler, and it has tests"'],
  run: async (cli, { id, entry, reason }) => {
    const picked = await cli.ask(pickEntry, { task: id, entry, reason: reason ?? null })
    const { task, winner, stopping } = picked
    const ending = stopping.length === 0 ? '' : ` Archived when their runs end: ${stopping.join(', ')}.`
    cli.answer(picked, `${winner} won ${task.id} (${task.status}).${ending}`)
  },
})
