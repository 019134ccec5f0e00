import { BoardError } from '../../../core/errors.ts'
import { requestChanges } from '../../../operations/reviews/request-changes.ts'
import { shellWord } from '../../../util/shell-word.ts'
import { card, cardId, each, filling, joinedArguments, text } from '../../flags.ts'
import { resultLine } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: requestChanges,
  args: { id: cardId, why: { ...joinedArguments('the changes to make'), field: 'reason' } },
  flags: {
    reason: text('<text>', 'the changes, if not given after the id'),
    worker: filling('workers', each(card('in a run of a verifier: a worker of its swarm; default: all (repeatable)'))),
  },
  examples: ['muster request-changes t_4k2 the tests do not cover an empty list'],
  run: async (cli, { id, why, reason, worker }) => {
    if (why !== undefined && reason !== undefined)
      throw new BoardError('invalid_input', 'Give the changes as text or with --reason, not both.')
    const change = why ?? reason
    if (change === undefined)
      throw new BoardError('invalid_input', `Describe the changes: muster request-changes ${shellWord(id)} '…'.`)
    const task = await cli.ask(requestChanges, { task: id, reason: change, workers: [...(worker ?? [])] })
    cli.answer(task, resultLine('Sent back')(task))
  },
})
