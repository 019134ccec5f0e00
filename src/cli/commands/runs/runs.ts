import { listRuns } from '../../../operations/runs/list-runs.ts'
import { STATE_TYPES } from '../../../operations/runs/run-view.ts'
import { definedOnly } from '../../../util/objects.ts'
import { cardId, choice, line } from '../../flags.ts'
import { runTable } from '../../render/run-table.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: listRuns,
  args: { id: cardId },
  flags: {
    stateType: choice(STATE_TYPES, 'whether --state-name is a status or an outcome'),
    stateName: line('<name>'),
  },
  examples: ['muster runs t_4k2', 'muster runs t_4k2 --state-type outcome --state-name crashed'],
  run: async (cli, { id, stateType, stateName }) => {
    const runs = await cli.ask(listRuns, { task: id, ...definedOnly({ stateType, stateName }) })
    cli.answer(runs, cli.json ? '' : runTable(runs, { now: cli.world.now(), terminal: cli.world.terminal }))
  },
})
