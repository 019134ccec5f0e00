import { collectGarbage } from '../../../operations/machine/collect-garbage.ts'
import { card, duration, filling, toggle, whole } from '../../flags.ts'
import { garbageLines } from '../../render/garbage.ts'
import { defineCommand } from '../../command.ts'

const DAY = 86_400_000
const RETENTION = 30 * DAY
/**
 * How long snapshots are kept. This is longer than `RETENTION`, because a snapshot may be the only copy of the work.
 */
const SNAPSHOT_RETENTION = 365 * DAY

const inDays = (days: number | undefined): number | undefined => (days === undefined ? undefined : days * DAY)

export const command = defineCommand({
  group: 'keep',
  operation: collectGarbage,
  flags: {
    yes: filling('apply', toggle()),
    dryRun: toggle('show what would be deleted (default)'),
    eventsOlder: filling('eventsOlderMs', duration('delete events of finished cards older than this (default: 30d)')),
    logsOlder: filling('logsOlderMs', duration('delete run logs and leftovers older than this (default: 30d)')),
    snapshotsOlder: filling(
      'snapshotsOlderMs',
      duration(
        'delete workspace snapshots older than this (default: 365d); keeps the newest of each card that is not archived',
      ),
    ),
    discard: card(),
    eventRetentionDays: filling('eventsOlderMs', whole({ min: 0 }, 'the same as --events-older, in days')),
    logRetentionDays: filling('logsOlderMs', whole({ min: 0 }, 'the same as --logs-older, in days')),
  },
  examples: [
    'muster gc',
    'muster gc --yes',
    'muster gc --discard t_4k2 --yes',
    'muster gc --events-older 90d --logs-older 7d --yes',
  ],
  without: { board: '--board is a common flag' },
  run: async (cli, { yes, dryRun, discard, eventsOlder, logsOlder, snapshotsOlder, ...days }) => {
    const report = await cli.perform(collectGarbage, {
      apply: yes && !dryRun,
      eventsOlderMs: eventsOlder ?? inDays(days.eventRetentionDays) ?? RETENTION,
      logsOlderMs: logsOlder ?? inDays(days.logRetentionDays) ?? RETENTION,
      snapshotsOlderMs: snapshotsOlder ?? SNAPSHOT_RETENTION,
      discard: discard ?? null,
      board: cli.typedBoard,
    })
    const text = garbageLines(report)
    cli.answer(report, text)
    const apply = discard === undefined ? 'muster gc --yes' : `muster gc --discard ${discard} --yes`
    if (!report.applied && text.startsWith('Would')) cli.notice(`Nothing was deleted. To delete: ${apply}`)
  },
})
