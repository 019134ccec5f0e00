import { deleteBoard } from '../../../operations/boards/delete-board.ts'
import { oneLine } from '../../output/escape.ts'
import { boardSlug, toggle } from '../../flags.ts'
import { usageError } from '../../parse.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: deleteBoard,
  args: { slug: boardSlug },
  flags: { yes: toggle('confirm deletion') },
  examples: ['muster boards archive work', 'muster boards delete work --yes'],
  run: async (cli, { slug, yes }) => {
    if (!yes)
      throw usageError(
        `This permanently deletes board ${slug} and all its cards. To confirm, add --yes.`,
        'not_confirmed',
      )
    const gone = await cli.ask(deleteBoard, { slug })
    cli.answer(gone, `Deleted board ${slug} (${oneLine(gone.name)}).`)
    if (gone.files !== null)
      cli.notice(`The files of the board are kept in ${oneLine(gone.files)}. Delete them when you no longer need them.`)
  },
})
