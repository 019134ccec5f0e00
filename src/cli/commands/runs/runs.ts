import { listRuns } from '../../../operations/runs/list-runs.ts'
import { STATE_TYPES } from '../../../operations/runs/run-state.ts'
import { definedOnly } from '../../../util/defined-only.ts'
import { cardId, choice, line } from '../../flags.ts'
import { runTable } from '../../render/run-table.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: listRuns,
  args: { id: cardId },
  flags: { stateType: choice(STATE_TYPES), stateName: line('<name>') },
  examples: ['muster runs t_4k2', 'muster runs t_4k2 --state-type outcome --state-name crashed'],
  run: async (call, { id, stateType, stateName }) => {
    const runs = await call.ask(listRuns, { task: id, ...definedOnly({ stateType, stateName }) })
    call.answer(runs, call.json ? '' : runTable(runs, { now: call.world.now(), terminal: call.world.terminal }))
  },
})
