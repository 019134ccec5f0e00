import { localZoneName } from '../../config/local-zone.ts'
import { unwrap } from '../../core/command.ts'
import { newSeriesId } from '../../util/mint.ts'
import { requireGoalAgent } from '../cards/require-goal-agent.ts'
import { inherit } from '../cards/inherit.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { requireSkills } from '../skills/require-skills.ts'
import { viewOne } from './view-series.ts'

export const addSeries = defineOperation({
  name: 'recur add',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Create a card again and again, on a schedule.',
  schemas: ({ z, seriesCardShape, checkDependentFields, askedWorkspace, schedule, timeZone, seriesView }) => ({
    input: z
      .object({
        schedule,
        timeZone: timeZone
          .nullable()
          .default(null)
          .describe('The time zone of the schedule; null: the time zone of the machine'),
        skipIfRunning: z
          .boolean()
          .default(false)
          .describe('Skip a time while the last card of the series is unfinished'),
        ...seriesCardShape,
        parents: z.array(z.string()).default([]).describe('Cards that must finish before each card of the series'),
        workspace: askedWorkspace.nullable().default(null).describe('The folder each card works in; null: scratch'),
      })
      .superRefine(checkDependentFields),
    output: seriesView,
  }),
  run: async (context, { schedule, timeZone, skipIfRunning, parents, tenant, session, workspace, ...fields }) => {
    const { store, board, actor } = context
    const addresses = await Promise.all(parents.map((typed) => resolveTask(store, typed)))
    const inherited = await inherit(context, { tenant, session, workspace })
    await requireSkills(context, fields.skills, inherited.workspace)
    await requireGoalAgent(context, fields)
    const card = { ...fields, ...inherited, parents: addresses.map(({ id }) => id) }
    const input = { id: newSeriesId(), schedule, timeZone: timeZone ?? localZoneName(), skipIfRunning, card }
    return viewOne(context, unwrap(await store.decide({ verb: 'add_series', board, actor, input })))
  },
})
