import { pauseWork } from '../../../operations/agents/pause-work.ts'
import { argument, laterMoment, line } from '../../flags.ts'
import { answerPause } from '../../pause-commands.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  name: 'accounts pause',
  group: 'work',
  operation: pauseWork,
  summary: 'Start no new runs on an account. Running agents continue.',
  args: { name: argument('the account') },
  flags: { reason: line(), until: laterMoment('end the pause at this time') },
  without: { kind: 'the kind is always account' },
  examples: ['muster accounts pause claude --until 22:00', 'muster accounts pause team --reason "over budget"'],
  run: async (cli, { name, reason = null, until = null }) =>
    answerPause(cli, await cli.ask(pauseWork, { kind: 'account', name, reason, until })),
})
