import { BoardError } from '../../../core/errors.ts'
import { completeTask } from '../../../operations/cards/complete-task.ts'
import { card, cardIds, each, file, filling, jsonObject, text } from '../../flags.ts'
import { answerMany, oneByOne } from '../../many.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: completeTask,
  args: { ids: cardIds },
  flags: {
    summary: text(),
    result: text(),
    metadata: jsonObject(),
    artifact: filling('artifacts', each(file('a file to attach with it'))),
    createdCard: filling('createdCards', each(card('a card that was made while it was worked on'))),
    force: text('<why>'),
  },
  examples: ['muster complete t_4k2 --summary "Login works again"', 'muster complete t_4k2 t_8x1'],
  run: async (cli, { ids, summary, result, metadata, artifact, createdCard, force }) => {
    if (ids.length > 1 && (summary !== undefined || metadata !== undefined || artifact !== undefined))
      throw new BoardError(
        'invalid_input',
        'A summary, metadata or an artifact tells of one card: complete these one by one.',
      )
    const said = {
      summary: summary ?? null,
      result: result ?? null,
      metadata: metadata ?? null,
      artifacts: [...(artifact ?? [])],
      createdCards: [...(createdCard ?? [])],
      force: force ?? null,
    }
    const answers = await oneByOne(ids, (task, onPending) => cli.ask(completeTask, { task, ...said }, onPending))
    answerMany(cli, answers, (task) => `Completed ${task.id}`)
  },
})
