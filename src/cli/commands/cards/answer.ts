import { BoardError } from '../../../core/errors.ts'
import { answerQuestion } from '../../../operations/cards/answer-question.ts'
import { shellWord } from '../../../util/shell-word.ts'
import { cardId, joinedArguments } from '../../flags.ts'
import { readText } from '../../read-text.ts'
import { resultLine } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: answerQuestion,
  args: { id: cardId, text: joinedArguments('the answer; - reads standard input, @file a file') },
  brief: 'Answer the question of a blocked card',
  examples: ["muster answer t_4k2 'Use port 8080.'", 'muster answer t_4k2 @answer.md'],
  run: async (cli, { id, text: typed }) => {
    if (typed === undefined)
      throw new BoardError('invalid_input', `Give an answer: muster answer ${shellWord(id)} '…'.`)
    const text = await readText(cli.world, typed)
    const task = await cli.ask(answerQuestion, { task: id, text })
    cli.answer(task, resultLine('Answered')(task))
  },
})
