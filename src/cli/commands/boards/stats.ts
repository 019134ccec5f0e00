import { gatherStats } from '../../../operations/boards/gather-stats.ts'
import { statsTable } from '../../render/stats.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: gatherStats,
  brief: 'Count cards by status and assignee',
  examples: ['muster stats', 'muster stats --board work'],
  run: async (cli) => {
    const stats = await cli.ask(gatherStats, {})
    cli.answer(stats, statsTable(stats, cli.world.terminal))
  },
})
