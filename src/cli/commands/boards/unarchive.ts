import { unarchiveBoard } from '../../../operations/boards/unarchive-board.ts'
import { boardSlug } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: unarchiveBoard,
  args: { slug: boardSlug },
  examples: ['muster boards unarchive work'],
  run: async (call, { slug }) => {
    const board = await call.ask(unarchiveBoard, { slug })
    call.answer(board, `Board ${slug} is in use again.`)
  },
})
