import { listBoards } from '../../../operations/boards/list-boards.ts'
import { filling, toggle } from '../../flags.ts'
import { boardRow, boardTable } from '../../render/board.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: listBoards,
  flags: { all: filling('archived', toggle()) },
  aliases: ['boards', 'boards ls'],
  examples: ['muster boards', 'muster boards list --all', 'muster boards --json'],
  run: async (cli, { all }) => {
    const boards = await cli.ask(listBoards, { archived: all })
    cli.list(boards, { table: boardTable, row: boardRow, empty: 'No boards. To create one: muster boards create work' })
    const { currentBoard } = cli.options
    if (!boards.some(({ isCurrent }) => isCurrent))
      cli.notice(
        `The current board ${currentBoard} does not exist or is archived. To choose another: muster boards switch '…'`,
      )
  },
})
