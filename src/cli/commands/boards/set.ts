import { setBoard } from '../../../operations/boards/set-board.ts'
import { settingFlags, settingArguments, settingsOf } from '../../board-settings.ts'
import { boardSlug, text } from '../../flags.ts'
import { usageError } from '../../parse.ts'
import { settingName, settingText } from '../../render/board.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: setBoard,
  args: { slug: boardSlug, settings: settingArguments },
  flags: { description: text('<text>', 'purpose of the board'), ...settingFlags },
  examples: [
    'muster boards set work maxRunning=3 stale=2h',
    'muster boards set work --reviewer none',
    'muster boards set work --active-hours 22:00-07:00',
  ],
  run: async (cli, { slug, settings: given, description, ...flags }) => {
    const settings = settingsOf(given, flags)
    if (Object.keys(settings).length === 0 && description === undefined)
      throw usageError(`Give at least one setting. To list them: muster boards show ${slug}`, 'missing_argument')
    const board = await cli.ask(setBoard, { slug, settings, description: description ?? null })
    const values: Readonly<Record<string, unknown>> = board.settings
    const changes = board.changed.map((key) =>
      key in values ? `${settingName(key, Object.keys(values))}=${settingText(key, values[key])}` : key,
    )
    cli.answer(
      board,
      changes.length === 0
        ? `Board ${slug} already has these settings.`
        : `Changed board ${slug}: ${changes.join(', ')}.`,
    )
  },
})
