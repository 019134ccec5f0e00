import { renameBoard } from '../../../operations/boards/rename-board.ts'
import { oneLine } from '../../escape.ts'
import { boardSlug, word } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: renameBoard,
  args: { slug: boardSlug, name: word() },
  examples: ['muster boards rename work "Work in the garden"'],
  run: async (call, { slug, name }) => {
    const board = await call.ask(renameBoard, { slug, name })
    call.answer(board, `Board ${slug} is called ${oneLine(board.name)}.`)
  },
})
