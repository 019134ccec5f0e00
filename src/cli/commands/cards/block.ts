import { BoardError } from '../../../core/errors.ts'
import { ASKED_BLOCK_KINDS } from '../../../core/vocabulary.ts'
import { blockTask } from '../../../operations/cards/block-task.ts'
import { shellWord } from '../../../util/shell-word.ts'
import { withBrief, choice, idsThenReason } from '../../flags.ts'
import { reasonFlags, changeCards, targetsOf } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: blockTask,
  args: { cards: idsThenReason },
  flags: { kind: withBrief(ASKED_BLOCK_KINDS.join(', '), choice(ASKED_BLOCK_KINDS)), ...reasonFlags },
  examples: [
    'muster block t_4k2 waiting for the key',
    'muster block t_4k2 t_8x1 --kind capability --reason "no GPU here"',
  ],
  run: async (cli, { kind = 'needs_input', ...given }) => {
    const { ids, reason } = targetsOf(given)
    if (reason === null)
      throw new BoardError('invalid_input', `Give a reason: muster block ${ids.map(shellWord).join(' ')} --reason '…'.`)
    await changeCards(cli, ids, 'Blocked', (task, onPending) => cli.ask(blockTask, { task, reason, kind }, onPending))
  },
})
