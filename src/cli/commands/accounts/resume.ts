import { resumeWork } from '../../../operations/agents/resume-work.ts'
import { argument } from '../../flags.ts'
import { answerResumed } from '../../pause-commands.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  name: 'accounts resume',
  group: 'work',
  operation: resumeWork,
  summary: 'Resume an account after a pause or a new login.',
  args: { name: argument('the account') },
  without: { kind: 'the kind is always account' },
  examples: ['muster accounts resume claude'],
  run: async (cli, { name }) => answerResumed(cli, await cli.ask(resumeWork, { kind: 'account', name })),
})
