import { mentionAgent } from '../../../operations/cards/mention-agent.ts'
import { defineCommand } from '../../command.ts'
import { agentArgument, argument } from '../../flags.ts'
import type { Arg } from '../../command.ts'
import { oneLine } from '../../output/escape.ts'
import { statusText } from '../../render/format-values.ts'
import type { CommentId } from '../../../core/ids.ts'

const comment: Arg<CommentId> = {
  ...argument('the comment, as muster comment prints it'),
  // The cast is safe, because the operation checks the form of the id.
  read: (given) => (given.at(-1) ?? '').trim().toLowerCase() as CommentId,
}

const agent: Arg<string | undefined> = {
  ...agentArgument,
  arity: 'optional',
  describe: 'the agent, if the comment mentions several',
  read: (given) => given[0]?.trim().toLowerCase(),
}

export const command = defineCommand({
  group: 'cards',
  operation: mentionAgent,
  brief: 'Create the card that a mention in a comment offers',
  args: { comment, agent },
  flags: {},
  examples: ['muster mention c_4k2m9x0p1q', 'muster mention c_4k2m9x0p1q reviewer'],
  run: async (cli, { comment, agent = null }) => {
    const { task, created } = await cli.ask(mentionAgent, { comment, agent })
    cli.answer(
      task,
      created
        ? `Created ${task.id} for ${task.assignee ?? 'no agent'}  (${statusText(task)})`
        : `${task.id} was already created for ${oneLine(task.assignee ?? 'this mention')}  (${statusText(task)})`,
    )
  },
})
