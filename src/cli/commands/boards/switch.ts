import { switchBoard } from '../../../operations/boards/switch-board.ts'
import { oneLine } from '../../escape.ts'
import { boardSlug } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: switchBoard,
  args: { slug: boardSlug },
  aliases: ['boards use'],
  examples: ['muster boards switch work', 'muster boards switch default'],
  run: async (call, { slug }) => {
    const board = await switchBoard.run(call.local, { slug })
    call.answer(board, `The current board is ${slug} (${oneLine(board.name)}).`)
    const named = call.world.env['MUSTER_BOARD']?.trim() ?? ''
    if (named !== '' && named !== slug) call.notice(`In this shell MUSTER_BOARD=${oneLine(named)} still counts more.`)
  },
})
