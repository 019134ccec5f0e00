import { unwrap } from '../../core/command.ts'
import { CARDS_MAX } from '../../core/input/card-input.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { newTaskId } from '../../util/mint.ts'
import { requireSkills } from '../skills/require-skills.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { inherit } from './inherit.ts'
import { requireGoalAgent } from './require-goal-agent.ts'

export const createEach = defineOperation({
  name: 'create-each',
  kind: 'command',
  actor: 'person',
  scope: 'board',
  summary: 'Create a card for each title of a list: all of them or none.',
  schemas: ({ z, createShape, checkDependentFields, askedWorkspace, taskId }) => {
    const { title, idempotencyKey: _, ...fields } = createShape
    return {
      input: z
        .object({
          ...fields,
          titles: z
            .array(title)
            .min(1, 'needs at least one line')
            .max(CARDS_MAX, `takes at most ${CARDS_MAX} lines`)
            .describe('The titles of the cards'),
          parents: z.array(z.string()).default([]).describe('Cards that must finish first'),
          workspace: askedWorkspace.nullable().default(null).describe('The workspace of each card; null: scratch'),
          triage: z
            .boolean()
            .default(false)
            .describe('The cards are rough ideas that need details before they can start'),
          blocked: z.boolean().default(false).describe('Block the cards at once: they wait for a person'),
        })
        .superRefine(checkDependentFields),
      output: z
        .array(z.object({ id: taskId, title: z.string(), status: z.enum(STATUSES), assignee: z.string().nullable() }))
        .readonly(),
    }
  },
  run: async (context, { titles, parents, tenant, session, workspace, ...fields }) => {
    const { store, board, actor } = context
    const addresses = await Promise.all(parents.map((typed) => resolveTask(store, typed)))
    const inherited = await inherit(context, { tenant, session, workspace })
    await requireSkills(context, fields.skills, inherited.workspace)
    await requireGoalAgent(context, fields)
    const common = { ...fields, ...inherited, idempotencyKey: null, parents: addresses.map(({ id }) => id) }
    // Cards with the same creation time are listed by id. So sorted ids keep the order of the input list.
    const sortedIds = titles.map(() => newTaskId()).toSorted()
    const cards = sortedIds.map((id, at) => ({ ...common, id, title: titles[at] ?? '' }))
    const { ids } = unwrap(await store.decide({ verb: 'create', board, actor, input: { cards } }))
    const made = new Map((await store.tasksById(ids)).map((task) => [task.id, task]))
    return ids.flatMap((id) => {
      const task = made.get(id)
      return task === undefined ? [] : [{ id, title: task.title, status: task.status, assignee: task.assignee }]
    })
  },
})
