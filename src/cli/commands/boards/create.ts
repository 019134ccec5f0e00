import { createBoard } from '../../../operations/boards/create-board.ts'
import { switchBoard } from '../../../operations/boards/switch-board.ts'
import { settingFlags, settingsOf } from '../../board-settings.ts'
import { oneLine } from '../../output/escape.ts'
import { boardSlug, text, toggle } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: createBoard,
  makesHome: true,
  args: { slug: { ...boardSlug, describe: 'short name: a-z, 0-9, _ and -' } },
  flags: {
    name: text('<name>', 'display name'),
    description: text('<text>'),
    switch: toggle('make it the current board'),
    ...settingFlags,
  },
  aliases: ['boards new'],
  examples: ['muster boards create work --switch', 'muster boards create site --name "The site" --max-running 2'],
  run: async (cli, { slug, name, description, switch: switches, ...flags }) => {
    if (switches) cli.remote?.requireServed({ name: 'boards switch', operation: switchBoard })
    const settings = settingsOf({}, flags)
    const made = await cli.ask(createBoard, { slug, name: name ?? null, description: description ?? '', settings })
    const board = switches ? { ...made, ...(await cli.perform(switchBoard, { slug })) } : made
    cli.answer(
      board,
      board.created ? `Created board ${slug} (${oneLine(board.name)}).` : `Board ${slug} already exists.`,
    )
    if (!made.created) cli.notice(`The board was not changed. To change it: muster boards set ${slug}`)
    if (cli.remote !== null) cli.notice(`To use the board: muster list --board ${slug}`)
    else if (!board.isCurrent) cli.notice(`To make ${slug} the current board: muster boards switch ${slug}`)
  },
})
