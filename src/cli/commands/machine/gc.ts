import { collectGarbage } from '../../../operations/machine/collect-garbage.ts'
import { card, duration, filling, toggle, whole } from '../../flags.ts'
import { garbageLines } from '../../render/garbage.ts'
import { defineCommand } from '../../command.ts'

const DAY = 86_400_000
const RETENTION = 30 * DAY
/** They hold what is nowhere else. */
const SNAPSHOT_RETENTION = 365 * DAY

const inDays = (days: number | undefined): number | undefined => (days === undefined ? undefined : days * DAY)

export const command = defineCommand({
  group: 'keep',
  operation: collectGarbage,
  flags: {
    yes: filling('apply', toggle()),
    dryRun: toggle('only say what would go, as without --yes'),
    eventsOlder: filling('eventsOlderMs', duration('events of finished cards older than this go (30d)')),
    logsOlder: filling('logsOlderMs', duration('logs of runs, and leftovers, older than this go (30d)')),
    snapshotsOlder: filling(
      'snapshotsOlderMs',
      duration('archives of workspaces older than this go, but the newest of a card that is not archived (365d)'),
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
  without: { board: 'it is the common flag --board' },
  run: async (cli, { yes, dryRun, discard, eventsOlder, logsOlder, snapshotsOlder, ...days }) => {
    const report = await collectGarbage.run(cli.local, {
      apply: yes && !dryRun,
      eventsOlderMs: eventsOlder ?? inDays(days.eventRetentionDays) ?? RETENTION,
      logsOlderMs: logsOlder ?? inDays(days.logRetentionDays) ?? RETENTION,
      snapshotsOlderMs: snapshotsOlder ?? SNAPSHOT_RETENTION,
      discard: discard ?? null,
      board: cli.typedBoard,
    })
    const text = garbageLines(report)
    cli.answer(report, text)
    const all = discard === undefined ? 'muster gc --yes' : `muster gc --discard ${discard} --yes`
    if (!report.applied && text.startsWith('Would')) cli.notice(`Nothing was changed: ${all} does it.`)
  },
})
