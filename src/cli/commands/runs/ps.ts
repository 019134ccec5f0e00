import { listProcesses } from '../../../operations/runs/list-processes.ts'
import { definedOnly } from '../../../util/objects.ts'
import { processList } from '../../render/process-list.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: listProcesses,
  without: { board: '--board is a common flag; without it, runs of all boards are listed' },
  examples: ['muster ps', 'muster ps --json | jq ".[].processes"'],
  run: async (cli) => {
    const runs = await cli.ask(listProcesses, definedOnly({ board: cli.typedBoard ?? undefined }))
    cli.answer(runs, cli.json ? '' : processList(runs, { now: cli.world.now(), terminal: cli.world.terminal }))
  },
})
