import { resumeWork } from '../../../operations/agents/resume-work.ts'
import { definedOnly } from '../../../util/objects.ts'
import { answerResumed, pauseKindArgument, pauseNameArgument } from '../../pause-commands.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: resumeWork,
  args: { kind: pauseKindArgument, name: pauseNameArgument },
  brief: 'Resume a board, an agent, an account or a machine',
  examples: ['muster resume', 'muster resume agent coder', 'muster resume account work'],
  run: async (cli, given) => answerResumed(cli, await cli.ask(resumeWork, definedOnly(given))),
})
