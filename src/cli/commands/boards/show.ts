import { showBoard } from '../../../operations/boards/show-board.ts'
import { boardSlugOrCurrent } from '../../flags.ts'
import { boardPage } from '../../render/board.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: showBoard,
  args: { slug: boardSlugOrCurrent },
  aliases: ['boards current'],
  examples: ['muster boards show', 'muster boards show work --json'],
  run: async (cli, { slug }) => {
    const board = await cli.ask(showBoard, { slug: slug ?? null })
    cli.answer(board, boardPage(board))
  },
})
