import { localZoneName } from '../../../config/local-zone.ts'
import { BLOCKED, RUNNING } from '../../../core/status.ts'
import { initialStatusInput } from '../../../core/vocabulary.ts'
import { addSeries } from '../../../operations/series/add-series.ts'
import type { OperationInput } from '../../../operations/shared/operation.ts'
import { newCardFields } from '../../card-flags.ts'
import { defineCommand } from '../../command.ts'
import * as flag from '../../flags.ts'
import { givenGoal, goalFlags } from '../../goal-flags.ts'
import { oneLine } from '../../output/escape.ts'
import { nextLine } from '../../render/series.ts'
import { parentFlag, seriesCardFlags, zoneFlag } from '../../series-flags.ts'

const { withBrief, filling } = flag

export const command = defineCommand({
  group: 'more',
  operation: addSeries,
  makesHome: true,
  args: {
    schedule: {
      ...flag.argument('when: a cron expression, every 2h, weekdays 09:00, daily 7:30'),
      brief: '"0 9 * * 1-5", every 2h, weekdays 09:00',
    },
  },
  flags: {
    title: withBrief('of each card', flag.line('<text>', 'the title of each card')),
    tz: zoneFlag,
    skipIfRunning: withBrief('no overlap', flag.toggle()),
    ...seriesCardFlags,
    parent: parentFlag,
    initialStatus: withBrief(
      'blocked, or running (the default)',
      filling('blocked', flag.choice([BLOCKED, RUNNING], 'blocked: each card waits for a person')),
    ),
    triage: withBrief('rough idea', flag.toggle('each card is a rough idea that needs details')),
    ...goalFlags,
  },
  examples: ['muster recur add "weekdays 09:00" --title "Triage issues" --assignee claude'],
  run: async (
    cli,
    { schedule, title, tz, skipIfRunning, parent, initialStatus, triage, goal, goalMaxTurns, judge, ...fields },
  ) => {
    if (title === undefined) throw flag.badValue('muster recur add needs --title "…".')
    const { scheduledAt: _time, idempotencyKey: _key, ...card } = newCardFields({ ...fields, title })
    const { workspace } = fields as { readonly workspace?: unknown }
    const series = await cli.ask(addSeries, {
      ...card,
      schedule,
      // The time zone of the person, even if the board is on a server in another zone.
      timeZone: tz ?? localZoneName(),
      skipIfRunning,
      workspace: workspace ?? null,
      parents: [...(parent ?? [])],
      triage,
      blocked: initialStatusInput(initialStatus).blocked,
      goal: givenGoal({ goal, goalMaxTurns, judge }) ?? null,
      // The cast is safe, because the table of card fields gives each flag the type of its field.
    } as OperationInput<typeof addSeries>)
    cli.answer(series, `Added series ${series.id}  ${oneLine(series.title)}\n${nextLine(series)}`)
    for (const { message } of series.problems) cli.notice(message)
    if (!cli.json && !cli.insideRun) await noticeIfStopped(cli)
  },
})

/**
 * Warns if Muster is not running, because a series creates cards only while it runs. Errors are ignored, because the
 * series is already added.
 */
async function noticeIfStopped(cli: Parameters<NonNullable<typeof command.run>>[0]): Promise<void> {
  if (cli.remote !== null) return
  try {
    const { findDispatchers, inactiveText } = await import('../../../operations/machine/dispatcher-state.ts')
    const { thisHost } = await import('../../../processes/identity.ts')
    const { active, own } = await findDispatchers((await cli.board('read')).store, thisHost())
    if (active.size === 0) cli.notice(inactiveText(own))
  } catch {
    // Without the warning, the command has still succeeded.
  }
}
