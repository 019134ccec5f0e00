import { backUpStore, requireBackups } from '../../storage/backup.ts'
import { parseLocation } from '../../storage/location.ts'
import { backupFile, newBackupPath } from './backups.ts'
import { defineOperation } from '../shared/operation.ts'

/** Makes a backup of the store. The files of cards are not part of a backup. */
export const createBackup = defineOperation({
  name: 'backup create',
  kind: 'local',
  actor: 'person',
  scope: 'store',
  summary: 'Copy the whole store to a file, and check the copy.',
  schemas: ({ z, absolutePath, backupView }) => ({
    input: z.object({
      to: absolutePath.nullable().default(null).describe('The file to write, instead of one in the backups folder'),
    }),
    /** The value is always true, because a copy gets its final name only after it passed a check. */
    output: backupView.extend({ verified: z.literal(true) }),
  }),
  run: async ({ options, openStore }, { to }) => {
    const location = parseLocation(options.store)
    requireBackups(location)
    // The store is opened before the folder is created. So if the store is missing, the command reports the missing
    // store first.
    await (await openStore('read')).close()
    const path = to ?? (await newBackupPath(options.home))
    await backUpStore(location, path)
    return { ...(await backupFile(path)), verified: true as const }
  },
})
