import { unwrap } from '../../core/command.ts'
import { DEFAULT_GOAL } from '../../core/goal.ts'
import { definedOnly } from '../../util/objects.ts'
import { requireGoalAgent } from '../cards/require-goal-agent.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { requireSkills } from '../skills/require-skills.ts'
import { resolveSeries } from './resolve-series.ts'
import { viewOne } from './view-series.ts'

export const editSeries = defineOperation({
  name: 'recur edit',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Change the schedule of a series, or the fields of its next cards.',
  schemas: ({ z, seriesRef, someSeriesCardShape, schedule, timeZone, seriesView }) => ({
    input: z.object({
      series: seriesRef,
      schedule: schedule.exactOptional(),
      timeZone: timeZone.exactOptional(),
      skipIfRunning: z
        .boolean()
        .exactOptional()
        .describe('Skip a time while the last card of the series is unfinished'),
      ...someSeriesCardShape,
      parents: z.array(z.string()).exactOptional().describe('Cards that must finish before each card of the series'),
    }),
    output: seriesView,
  }),
  run: async (context, { series: typed, schedule, timeZone, skipIfRunning, parents, goal, ...fields }) => {
    const { store, actor } = context
    const series = await resolveSeries(store, typed)
    const addresses =
      parents === undefined ? null : await Promise.all(parents.map((parent) => resolveTask(store, parent)))
    const card = {
      ...series.card,
      ...fields,
      ...(goal === undefined ? {} : { goal: goal === null ? null : { ...DEFAULT_GOAL, ...series.card.goal, ...goal } }),
      ...(addresses === null ? {} : { parents: addresses.map(({ id }) => id) }),
    }
    await requireSkills({ ...context, board: series.board }, fields.skills, card.workspace)
    await requireGoalAgent(context, card)
    const { id, board, updatedAt: was } = series
    const input = { id, was, card, ...definedOnly({ schedule, timeZone, skipIfRunning }) }
    return viewOne(context, unwrap(await store.decide({ verb: 'edit_series', board, actor, input })))
  },
})
