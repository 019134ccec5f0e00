import { inspectBackup } from '../../storage/backup.ts'
import { parseLocation } from '../../storage/location.ts'
import { backupFile, findBackup } from './backups.ts'
import { defineOperation } from '../shared/operation.ts'

export const verifyBackup = defineOperation({
  name: 'backup verify',
  kind: 'local',
  actor: 'person',
  scope: 'store',
  summary: 'Check that a backup is complete and its data is consistent.',
  schemas: ({ z, count, backupView, typedBackup, findings }) => ({
    input: z.object({ backup: typedBackup }),
    output: backupView.extend({
      ok: z.boolean(),
      boards: count,
      cards: count,
      /** The runs that were open when the backup was made. */
      openRuns: count,
      findings,
    }),
  }),
  run: async ({ options }, { backup }) => {
    const path = findBackup(options.home, backup)
    const contents = await inspectBackup(parseLocation(options.store), path)
    return { ...(await backupFile(path)), ok: contents.findings.length === 0, ...contents }
  },
})
