import { backUpStore, requireBackups } from '../../storage/backup.ts'
import { parseLocation } from '../../storage/location.ts'
import { backupFile, newBackupPath } from './backups.ts'
import { defineOperation } from '../shared/operation.ts'

/** The store only: files of cards are not in it. */
export const createBackup = defineOperation({
  name: 'backup create',
  kind: 'local',
  actor: 'person',
  scope: 'store',
  summary: 'Copy the whole store to a file, and check the copy.',
  schemas: ({ z, absolutePath, backupView }) => ({
    input: z.object({
      to: absolutePath.nullable().default(null).describe('Where to put it, instead of the folder of backups'),
    }),
    /** It was read back and checked before it got its name. */
    output: backupView.extend({ verified: z.literal(true) }),
  }),
  run: async ({ options, openStore }, { to }) => {
    const location = parseLocation(options.store)
    requireBackups(location)
    // Before a folder is made for it: a store that is not there has its own sentence.
    await (await openStore('read')).close()
    const path = to ?? (await newBackupPath(options.home))
    await backUpStore(location, path)
    return { ...(await backupFile(path)), verified: true as const }
  },
})
