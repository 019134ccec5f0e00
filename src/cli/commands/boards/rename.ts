import { renameBoard } from '../../../operations/boards/rename-board.ts'
import { oneLine } from '../../output/escape.ts'
import { argument, boardSlug } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: renameBoard,
  args: { slug: boardSlug, name: argument() },
  examples: ['muster boards rename work "Work in the garden"'],
  run: async (cli, { slug, name }) => {
    const board = await cli.ask(renameBoard, { slug, name })
    cli.answer(board, `Renamed board ${slug} to ${oneLine(board.name)}.`)
  },
})
