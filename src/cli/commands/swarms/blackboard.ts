import { BoardError } from '../../../core/errors.ts'
import { readBlackboard } from '../../../operations/swarms/read-blackboard.ts'
import { writeBlackboard } from '../../../operations/swarms/write-blackboard.ts'
import { defineCommand } from '../../command.ts'
import * as flag from '../../flags.ts'
import { readText } from '../../read-text.ts'
import { entryLines, wholeEntry } from '../../render/swarm.ts'

export const command = defineCommand({
  group: 'cards',
  operation: readBlackboard,
  args: {
    id: flag.cardId,
    key: flag.optionalArgument('the key of an entry'),
    value: flag.optionalArgument('the new value; - reads standard input, @file a file'),
  },
  flags: { remove: flag.toggle('remove the entry') },
  brief: 'Read or write the blackboard of a swarm',
  examples: [
    'muster blackboard t_4k2',
    'muster blackboard t_4k2 deadline "Friday, 17:00"',
    'muster blackboard t_4k2 deadline --remove',
  ],
  run: async (cli, { id: task, key, value, remove }) => {
    if (key === undefined && remove) throw new BoardError('invalid_input', 'Give the key of the entry to remove.')
    if (key === undefined) {
      const found = await cli.ask(readBlackboard, { task, key: null })
      cli.answer(found, entryLines({ blackboard: found.entries }).join('\n'))
      return
    }
    if (value === undefined && !remove) {
      const found = await cli.ask(readBlackboard, { task, key })
      cli.content(found, wholeEntry(found, key))
      return
    }
    const text = value === undefined ? null : await readText(cli.world, value)
    const after = await cli.ask(writeBlackboard, { task, key, value: text, remove })
    cli.answer(after, remove ? `Removed ${key}` : `Wrote ${key}`)
  },
})
