import { requireBackups } from '../../storage/backup.ts'
import { parseLocation } from '../../storage/location.ts'
import { backupsIn } from './backups.ts'
import { defineOperation } from '../shared/operation.ts'

export const listBackups = defineOperation({
  name: 'backup list',
  kind: 'local',
  actor: 'person',
  scope: 'store',
  summary: 'List the backups, newest first.',
  schemas: ({ z, backupView }) => ({
    input: z.object({}),
    output: z.array(backupView),
  }),
  run: ({ options }) => {
    requireBackups(parseLocation(options.store))
    return backupsIn(options.home)
  },
})
