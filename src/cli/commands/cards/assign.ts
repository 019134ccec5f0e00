import { assignTask } from '../../../operations/cards/assign-task.ts'
import { oneLine } from '../../output/escape.ts'
import { agentOrNoneArgument, cardId } from '../../flags.ts'
import { noticeApproval } from '../../card-notices.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'cards',
  operation: assignTask,
  args: { id: cardId, agent: { ...agentOrNoneArgument, field: 'assignee' } },
  examples: ['muster assign t_4k2 coder', 'muster assign t_4k2 none'],
  run: async (cli, { id, agent }) => {
    const task = await cli.ask(assignTask, { task: id, assignee: agent })
    const done = task.assignee === null ? `Unassigned ${task.id}` : `Assigned ${task.id} to ${oneLine(task.assignee)}`
    cli.answer(task, `${done}  (${task.status})`)
    if (task.assignee === null || cli.json || cli.insideRun) return
    await noticeApproval(cli, task.id)
    const { startHint } = await import('../../start-hint.ts')
    const hint = await startHint(cli, task)
    if (hint !== null) cli.notice(hint)
  },
})
