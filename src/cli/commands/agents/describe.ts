import { describeAgentFile } from '../../../operations/agents/describe-agent.ts'
import { defineCommand } from '../../command.ts'
import { agentArgument, joinedArguments, toggle } from '../../flags.ts'
import { oneLine } from '../../output/escape.ts'

export const command = defineCommand({
  group: 'start',
  operation: describeAgentFile,
  summary: 'Describe an agent for the planner.',
  args: { name: agentArgument, text: { ...joinedArguments(), field: 'description' } },
  flags: { auto: toggle(), force: toggle() },
  examples: ['muster agents describe coder "Writes tests"', 'muster agents describe coder --auto'],
  run: async (cli, { name, text, auto, force }) => {
    const described = await cli.perform(describeAgentFile, { name, description: text ?? null, auto, force })
    cli.answer(described, `Described ${described.name}: ${oneLine(described.description)}`)
  },
})
