import { unarchiveBoard } from '../../../operations/boards/unarchive-board.ts'
import { boardSlug } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: unarchiveBoard,
  args: { slug: boardSlug },
  examples: ['muster boards unarchive work'],
  run: async (cli, { slug }) => {
    const board = await cli.ask(unarchiveBoard, { slug })
    cli.answer(board, `Restored board ${slug}.`)
  },
})
