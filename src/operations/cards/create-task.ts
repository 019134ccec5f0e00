import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { FEWEST_ENTRIES, MOST_ENTRIES, PICKERS } from '../../core/vocabulary.ts'
import { newTaskId } from '../../util/mint.ts'
import { inherit } from './inherit.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext } from '../shared/operation.ts'
import { requireGoalAgent } from './require-goal-agent.ts'
import { requireSkills } from '../skills/require-skills.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const createTask = defineOperation({
  name: 'create',
  kind: 'command',
  actor: 'worker',
  scope: 'board',
  summary: 'Create a card.',
  schemas: ({ z, createShape, checkDependentFields, askedWorkspace, name, taskId, taskView }) => ({
    input: z
      .object({
        ...createShape,
        parents: z
          .array(z.string())
          .default([])
          .describe('Cards that must finish first, or the beginnings of their ids'),
        workspace: askedWorkspace
          .nullable()
          .default(null)
          .describe('The workspace of the card; null: scratch, or inside a run the folder of the run’s card'),
        triage: z.boolean().default(false).describe('The card is a rough idea that needs details before it can start'),
        blocked: z.boolean().default(false).describe('Block the card at once: it waits for a person'),
        bestOf: z
          .int()
          .min(FEWEST_ENTRIES)
          .max(MOST_ENTRIES)
          .nullable()
          .default(null)
          .describe('Start a tournament: let this many agents do the work, and pick the best result'),
        agents: z
          .array(name)
          .max(MOST_ENTRIES)
          .default([])
          .describe('The agents of the tournament; with fewer agents than entries, agents get several entries'),
        pick: z
          .enum(PICKERS)
          .nullable()
          .default(null)
          .describe('Who picks the winner of the tournament: a person (default), or the judge model'),
      })
      .superRefine(checkDependentFields),
    output: z.object({
      task: taskView,
      /** The entries of a tournament. The card itself is the tournament. */
      entries: z.array(taskId).readonly(),
      /** Whether a card was created. If a card with this idempotency key exists, the operation returns that card. */
      created: z.boolean(),
      /** The fields in which the existing card differs from the input. */
      differs: z.array(z.string()).readonly(),
      /** A warning about an agent that does not exist here, or about a goal that no model can judge. */
      warning: z.string().nullable(),
    }),
  }),
  run: async (context, { parents, tenant, session, workspace, bestOf, agents, pick, ...card }) => {
    const { store, board, actor } = context
    const addresses = await Promise.all(parents.map((typed) => resolveTask(store, typed)))
    const inherited = await inherit(context, { tenant, session, workspace })
    await requireSkills(context, card.skills, inherited.workspace)
    await requireGoalAgent(context, card)
    const tournament = { bestOf, agents, pick }
    const given = { ...card, ...inherited, parents: addresses.map(({ id }) => id) }
    const isTournament = bestOf !== null || agents.length > 0 || pick !== null
    const { ids, created, differs } = isTournament
      ? await (await import('../tournaments/start-tournament.ts')).startTournament(context, given, tournament)
      : unwrap(await store.decide({ verb: 'create', board, actor, input: { cards: [{ ...given, id: newTaskId() }] } }))
    const [id, ...entries] = ids
    const task = id === undefined ? null : await store.task(board, id, { deleted: true })
    if (task === null) throw new BoardError('internal', 'The card was created but cannot be read back.')
    return {
      task,
      entries,
      created,
      differs,
      warning:
        (await goalWarning(context, card.goal)) ??
        (isTournament ? await tournamentWarning(context, agents) : await warningFor(context, card.assignee)),
    }
  },
})

/** Most cards have no goal, so the settings are read only for a card with a goal. */
async function goalWarning(
  { options: { home } }: Pick<BoardContext, 'options'>,
  goal: { readonly judge: string } | null,
): Promise<string | null> {
  if (goal === null) return null
  const { judgeWarning } = await import('../../planning/judge/judge-warning.ts')
  return judgeWarning(home, goal)
}

/**
 * The warning about the assignee. Only agents get this warning, because agents guess names. People get more detailed
 * notices from the command line.
 */
async function warningFor({ actor, options }: BoardContext, assignee: string | null): Promise<string | null> {
  if (actor.kind === 'person' || assignee === null) return null
  const { readRoster } = await import('../../agents/roster.ts')
  const { agents } = await readRoster(options.home)
  if (agents.has(assignee)) return null
  return `No agent is called ${assignee}, so the card waits. Agents: ${[...agents.keys()].toSorted().join(', ')}.`
}

/** The command line explains only the agent of the created card, so people get this warning too. */
async function tournamentWarning({ options }: BoardContext, agents: readonly string[]): Promise<string | null> {
  const { readRoster } = await import('../../agents/roster.ts')
  const { unknownAgentTexts } = await import('../../agents/unknown-agents.ts')
  const texts = unknownAgentTexts(agents, await readRoster(options.home))
  return texts.length === 0 ? null : texts.join(' ')
}
