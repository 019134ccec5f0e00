import { BoardError } from '../../../core/errors.ts'
import { commentOnTask } from '../../../operations/cards/comment-on-task.ts'
import { shellWord } from '../../../util/shell-word.ts'
import { cardId, filling, joinedArguments, longText, whole } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'cards',
  operation: commentOnTask,
  args: { id: cardId, text: { ...joinedArguments('the comment'), field: 'body' } },
  flags: {
    body: longText('the comment; - reads standard input, @file a file'),
    maxLen: filling('maxLength', whole({ min: 1 })),
  },
  examples: ['muster comment t_4k2 the key is in the safe', 'git log -3 | muster comment t_4k2 --body -'],
  run: async (cli, { id, text, body, maxLen }) => {
    if (text !== undefined && body !== undefined)
      throw new BoardError('invalid_input', 'Give the comment as text or with --body, not both.')
    const given = text ?? body
    if (given === undefined)
      throw new BoardError('invalid_input', `Give a comment: muster comment ${shellWord(id)} '…'.`)
    const comment = await cli.ask(commentOnTask, { task: id, body: given, maxLength: maxLen ?? null })
    cli.answer(comment, `Commented on ${comment.taskId}  (${comment.id})`)
    if (!cli.json) for (const mention of comment.mentions) cli.notice(mentionText(mention))
  },
})

type Mention = Awaited<ReturnType<typeof commentOnTask.run>>['mentions'][number]

const mentionText = ({ agent, card, command: accept, problem }: Mention): string =>
  card === null ? (problem ?? `To create a card for ${agent}: ${accept ?? ''}`) : `Created ${card} for ${agent}.`
