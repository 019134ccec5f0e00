import { CREATE_FIELDS } from '../../../core/card-fields.ts'
import { editSeries } from '../../../operations/series/edit-series.ts'
import { definedOnly } from '../../../util/objects.ts'
import { givenFields } from '../../card-flags.ts'
import { defineCommand } from '../../command.ts'
import * as flag from '../../flags.ts'
import { givenGoal, goalEditFlags } from '../../goal-flags.ts'
import { oneLine } from '../../output/escape.ts'
import { nextLine } from '../../render/series.ts'
import { parentFlag, seriesArgument, seriesCardFlags, zoneFlag } from '../../series-flags.ts'

const { hold: _hold, ...editableFlags } = seriesCardFlags

export const command = defineCommand({
  group: 'more',
  operation: editSeries,
  args: { series: seriesArgument },
  flags: {
    schedule: flag.withBrief('when it runs', flag.line('<schedule>', 'the new schedule, such as "daily 7:30"')),
    tz: zoneFlag,
    skipIfRunning: flag.withBrief(
      'yes or no',
      flag.choice(['yes', 'no'], 'skip a time while the last card is unfinished: yes or no'),
    ),
    title: flag.withBrief('of its next cards', flag.line('<text>', 'the title of its next cards')),
    ...editableFlags,
    ...goalEditFlags,
    parent: parentFlag,
  },
  without: { held: 'Remove the series and add it again, or pause it.' },
  brief: 'Change a series and its next cards',
  examples: ['muster recur edit s_4k2 --schedule "daily 7:30"'],
  run: async (
    cli,
    { series: typed, schedule, tz, skipIfRunning, parent, goal, goalMaxTurns, judge, noGoal, ...fields },
  ) => {
    const series = await cli.ask(editSeries, {
      ...givenFields(CREATE_FIELDS, fields),
      ...definedOnly({
        schedule,
        timeZone: tz,
        parents: parent === undefined ? undefined : [...parent],
        goal: givenGoal({ goal, goalMaxTurns, judge, noGoal }),
      }),
      ...(skipIfRunning === undefined ? {} : { skipIfRunning: skipIfRunning === 'yes' }),
      series: typed,
    })
    cli.answer(series, `Changed series ${series.id}  ${oneLine(series.title)}\n${nextLine(series)}`)
  },
})
