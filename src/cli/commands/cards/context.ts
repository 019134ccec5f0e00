import { briefTask } from '../../../operations/cards/brief-task.ts'
import { definedOnly } from '../../../util/objects.ts'
import { multiLine } from '../../output/escape.ts'
import { cardId, choice } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: briefTask,
  args: { id: cardId },
  flags: { role: choice(['work', 'review']) },
  examples: ['muster context t_4k2', 'muster context t_4k2 --role review'],
  run: async (cli, { id, role }) => {
    const briefing = await cli.ask(briefTask, { task: id, ...definedOnly({ role }) })
    // Control characters are escaped for a terminal, because it would act on them.
    const text = briefing.text.replace(/\n$/, '')
    cli.content(briefing, cli.world.terminal === null ? text : multiLine(text))
  },
})
