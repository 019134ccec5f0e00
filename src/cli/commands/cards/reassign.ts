import { BoardError } from '../../../core/errors.ts'
import { reassignTask } from '../../../operations/cards/reassign-task.ts'
import { shellWord } from '../../../util/shell-word.ts'
import { oneLine } from '../../output/escape.ts'
import { agentOrNoneArgument, cardId, text, toggle } from '../../flags.ts'
import { noticeApproval } from '../../card-notices.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'cards',
  operation: reassignTask,
  summary: 'Assign a card to another agent; with --reclaim, even while it runs.',
  args: { id: cardId, agent: { ...agentOrNoneArgument, describe: 'the new agent', field: 'assignee' } },
  flags: { reclaim: toggle(), reason: text('<text>', 'why its run is stopped') },
  examples: ['muster reassign t_4k2 tester', 'muster reassign t_4k2 tester --reclaim --reason "it is stuck"'],
  run: async (cli, { id, agent, reclaim, reason }) => {
    if (agent === null)
      throw new BoardError('invalid_input', `Name an agent. To unassign the card: muster assign ${shellWord(id)} none.`)
    if (reason !== undefined && !reclaim)
      throw new BoardError('invalid_input', '--reason needs --reclaim: it explains why the run is stopped.')
    const task = await cli.ask(reassignTask, { task: id, assignee: agent, reclaim, reason: reason ?? null })
    cli.answer(task, `Reassigned ${task.id} to ${oneLine(agent)}  (${task.status})`)
    await noticeApproval(cli, task.id)
  },
})
