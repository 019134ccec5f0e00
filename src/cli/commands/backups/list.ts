import { listBackups } from '../../../operations/backups/list-backups.ts'
import { oneLine } from '../../output/escape.ts'
import { localTime, size } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: listBackups,
  aliases: ['backup'],
  examples: ['muster backup list'],
  run: async (cli) => {
    const backups = await cli.perform(listBackups, {})
    cli.list(backups, {
      table: () =>
        backups
          .map(({ name, bytes, createdAt }) => `${localTime(createdAt)}  ${size(bytes).padStart(9)}  ${oneLine(name)}`)
          .join('\n'),
      row: ({ name, bytes, createdAt }) => [name, bytes, localTime(createdAt)],
      empty: 'No backups. To create one: muster backup create',
    })
  },
})
