import { BoardError } from '../../../core/errors.ts'
import { listPauses } from '../../../operations/agents/list-pauses.ts'
import { pauseWork } from '../../../operations/agents/pause-work.ts'
import { definedOnly } from '../../../util/objects.ts'
import { laterMoment, line, toggle } from '../../flags.ts'
import { answerPause, pauseKindArgument, pauseNameArgument } from '../../pause-commands.ts'
import { pauseTable } from '../../render/pauses.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: pauseWork,
  args: { kind: pauseKindArgument, name: pauseNameArgument },
  flags: {
    reason: line(),
    until: laterMoment('end the pause at this time'),
    list: toggle('list all pauses'),
  },
  examples: ['muster pause', 'muster pause agent coder --reason "wrong model" --until +2h', 'muster pause --list'],
  run: async (cli, { kind, name, reason = null, until = null, list }) => {
    if (list) {
      if (kind !== undefined || reason !== null || until !== null)
        throw new BoardError('invalid_input', 'Use --list alone: it lists every pause.')
      const pauses = await cli.ask(listPauses, {})
      return cli.answer(pauses, pauseTable(pauses))
    }
    answerPause(cli, await cli.ask(pauseWork, { ...definedOnly({ kind, name }), reason, until }))
  },
})
