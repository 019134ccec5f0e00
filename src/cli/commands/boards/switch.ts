import { switchBoard } from '../../../operations/boards/switch-board.ts'
import { oneLine } from '../../output/escape.ts'
import { boardSlug } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: switchBoard,
  args: { slug: boardSlug },
  aliases: ['boards use'],
  examples: ['muster boards switch work', 'muster boards switch default'],
  run: async (cli, { slug }) => {
    const board = await cli.perform(switchBoard, { slug })
    cli.answer(board, `The current board is now \`${slug}\` (${oneLine(board.name)}).`)
    const named = cli.world.env['MUSTER_BOARD']?.trim() ?? ''
    if (named !== '' && named !== slug)
      cli.notice(`In this shell, MUSTER_BOARD=${oneLine(named)} overrides the current board.`)
  },
})
