import { addAgent } from '../../../operations/add-agent.ts'
import { HARNESS_NAMES, ON_EXIT, PERMISSIONS } from '../../../workers/agent-fields.ts'
import { oneLine } from '../../escape.ts'
import { agentNamed, choice, duration, each, filling, line, listOf, longText, skill, text, whole } from '../../flags.ts'
import { defineVerb } from '../../verb.ts'
import type { Arg } from '../../verb.ts'

const newAgent: Arg<string> = { ...agentNamed, describe: 'its name: a-z, 0-9, _ and -' }

export const verb = defineVerb({
  group: 'start',
  operation: addAgent,
  args: { name: newAgent, args: listOf() },
  flags: {
    harness: choice(HARNESS_NAMES, 'how it becomes a process (command)'),
    description: line(),
    instruction: longText(),
    account: text('<name>'),
    maxRuntime: filling('maxRuntimeMs', duration()),
    maxConcurrent: whole({ min: 1 }),
    env: each(text('<name>')),
    permissions: choice(PERMISSIONS),
    model: text('<name>'),
    provider: text('<name>'),
    effort: text('<word>'),
    skill: filling('skills', each(skill())),
    onExit: choice(ON_EXIT),
  },
  examples: [
    'muster agents add builder -- make -C {workspace}',
    'muster agents add echo --max-runtime 5m -- cat',
    'muster agents add coder --harness claude --model opus --skill reading',
    'muster agents add speaker --harness acp -- opencode acp',
  ],
  run: async (call, { maxRuntime: maxRuntimeMs, skill: skills = [], ...given }) => {
    const { harness = 'command', instruction = '', env = [] } = given
    const agent = await addAgent.run(call.local, { ...given, harness, instruction, env, skills, maxRuntimeMs })
    call.answer(agent, `Added agent ${agent.name}: ${oneLine(agent.file ?? '')}`)
    for (const problem of agent.problems) call.notice(`It cannot work yet: ${oneLine(problem)}`)
  },
})
