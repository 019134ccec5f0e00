import { gatherStats } from '../../../operations/boards/gather-stats.ts'
import { statsTable } from '../../render/stats.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: gatherStats,
  examples: ['muster stats', 'muster stats --board work'],
  run: async (call) => {
    const stats = await call.ask(gatherStats, {})
    call.answer(stats, statsTable(stats, call.world.terminal))
  },
})
