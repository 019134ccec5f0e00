import { BoardError } from '../../../core/errors.ts'
import { completeTask } from '../../../operations/cards/complete-task.ts'
import { card, cardIds, each, file, filling, jsonObject, text } from '../../flags.ts'
import { reasonToSkip, skipChecksFlags } from '../../change-cards.ts'
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
    artifact: filling('artifacts', each(file('file to attach'))),
    createdCard: filling('createdCards', each(card('card created during this work'))),
    ...skipChecksFlags,
  },
  examples: [
    'muster complete t_4k2 --summary "Login works again"',
    'muster complete t_4k2 --force --reason "flaky test"',
  ],
  run: async (cli, { ids, summary, result, metadata, artifact, createdCard, force, reason }) => {
    const skips = reasonToSkip(ids, { force, reason })
    if (ids.length > 1 && (summary !== undefined || metadata !== undefined || artifact !== undefined))
      throw new BoardError(
        'invalid_input',
        'A summary, metadata or an artifact is for one card. Complete the cards one by one.',
      )
    const handover = {
      summary: summary ?? null,
      result: result ?? null,
      metadata: metadata ?? null,
      artifacts: [...(artifact ?? [])],
      createdCards: [...(createdCard ?? [])],
      force: skips,
    }
    const answers = await oneByOne(ids, (task, onPending) => cli.ask(completeTask, { task, ...handover }, onPending))
    answerMany(cli, answers, (task) => `Completed ${task.id}`)
  },
})
