import { archiveBoard } from '../../../operations/boards/archive-board.ts'
import { boardSlug } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: archiveBoard,
  args: { slug: boardSlug },
  examples: ['muster boards archive work'],
  run: async (cli, { slug }) => {
    const wasCurrent = cli.options.currentBoard === slug
    const board = await cli.ask(archiveBoard, { slug })
    cli.answer(board, `Archived board ${slug}. To restore it: muster boards unarchive ${slug}`)
    if (wasCurrent && !board.isCurrent) cli.notice('Switched to board default.')
  },
})
