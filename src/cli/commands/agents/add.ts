import { addAgent } from '../../../operations/agents/add-agent.ts'
import { SHELL_AGENT } from '../../../agents/agent.ts'
import { HARNESS_NAMES } from '../../../harnesses/index.ts'
import { ON_EXIT, PERMISSIONS } from '../../../core/vocabulary.ts'
import { oneLine } from '../../output/escape.ts'
import {
  agentArgument,
  withBrief,
  choice,
  duration,
  each,
  filling,
  line,
  argumentList,
  longText,
  skill,
  text,
  whole,
} from '../../flags.ts'
import { defineCommand } from '../../command.ts'
import type { Arg } from '../../command.ts'

const newAgent: Arg<string> = { ...agentArgument, describe: 'name of the agent: a-z, 0-9, _ and -' }

export const command = defineCommand({
  group: 'start',
  operation: addAgent,
  args: { name: newAgent, args: argumentList() },
  flags: {
    harness: choice(HARNESS_NAMES, `how it runs: ${HARNESS_NAMES.join(', ')} (default: command)`),
    description: line(),
    instruction: longText(),
    account: text('<name>'),
    maxRuntime: filling('maxRuntimeMs', duration()),
    maxConcurrent: whole({ min: 1 }),
    env: each(text('<name>')),
    permissions: choice(PERMISSIONS),
    model: withBrief('model to use', text('<name>')),
    provider: withBrief('of the model', text('<name>')),
    effort: withBrief('of the model', text('<level>')),
    skill: filling('skills', each(skill())),
    onExit: choice(ON_EXIT),
  },
  examples: [
    'muster agents add builder -- make -C {workspace}',
    'muster agents add coder --harness claude --model opus --skill reading',
    'muster agents add speaker --harness acp -- opencode acp',
  ],
  run: async (cli, { maxRuntime: maxRuntimeMs, skill: skills = [], ...given }) => {
    const { harness = 'command', instruction = '', env = [] } = given
    const agent = await cli.perform(addAgent, { ...given, harness, instruction, env, skills, maxRuntimeMs })
    cli.answer(agent, `Added agent ${agent.name}: ${oneLine(agent.file ?? '')}`)
    if (agent.name === SHELL_AGENT.name) cli.notice('The new agent replaces the built-in agent of this name.')
    for (const problem of agent.problems) cli.notice(`Warning: this agent can't run yet. ${oneLine(problem)}`)
  },
})
