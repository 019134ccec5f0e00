import { readRoster } from '../../agents/roster.ts'
import { unknownAgentTexts } from '../../agents/unknown-agents.ts'
import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import type { SwarmMember } from '../../core/swarm.ts'
import { inherit } from '../cards/inherit.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext } from '../shared/operation.ts'
import { requireSkills } from '../skills/require-skills.ts'
import { cardsOfSwarm } from './cards-of-swarm.ts'

export const createSwarm = defineOperation({
  name: 'swarm',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Create a swarm: workers in parallel, a verifier of their work, and a synthesizer that combines it.',
  schemas: ({ z, createShape, askedWorkspace, line, name, newSwarm, SWARM_WORKERS_MAX }) => ({
    input: z.object({
      goal: line.describe('What the swarm must reach; its members read it'),
      workers: z
        .array(
          z.object({
            agent: name.describe('The agent of the worker'),
            title: createShape.title.nullable().default(null).describe('What this worker does, in one line'),
            body: createShape.body.describe('Everything else this worker must know'),
            skills: createShape.skills,
            priority: createShape.priority,
          }),
        )
        .min(1, 'must name a worker')
        .max(SWARM_WORKERS_MAX, `must name at most ${SWARM_WORKERS_MAX} workers`)
        .describe('The workers, which work at the same time'),
      verifier: name.describe('The agent that approves the work of all workers, or requests changes'),
      synthesizer: name.describe('The agent that combines the approved work'),
      tenant: createShape.tenant,
      session: createShape.session,
      priority: createShape.priority,
      labels: createShape.labels,
      workspace: askedWorkspace.nullable().default(null).describe('The workspace of each member; null: scratch'),
      idempotencyKey: createShape.idempotencyKey.describe('Return the existing swarm with this key instead'),
    }),
    output: newSwarm,
  }),
  run: async (context, { tenant, session, workspace, ...asked }) => {
    const { store, board, actor } = context
    const inherited = await inherit(context, { tenant, session, workspace })
    for (const { skills } of asked.workers) await requireSkills(context, skills, inherited.workspace)
    const input = cardsOfSwarm(asked, inherited)
    const { root, created, differs } = unwrap(await store.decide({ verb: 'create_swarm', board, actor, input }))
    const members = await store.swarmMembers(root)
    const idsOf = (role: SwarmMember['role']) => members.flatMap((one) => (one.role === role ? [one.id] : []))
    const [verifierId] = idsOf('verifier')
    const [synthesizerId] = idsOf('synthesizer')
    if (verifierId === undefined || synthesizerId === undefined)
      throw new BoardError('swarm_not_found', `Cards of swarm ${root} were removed for good. Use another key.`, {
        details: { id: root },
      })
    return {
      created,
      rootId: root,
      workerIds: idsOf('worker'),
      verifierId,
      synthesizerId,
      members,
      differs,
      warnings: created ? await unknownAgents(context, members) : [],
    }
  },
})

/** A member whose agent does not exist waits, like any other card. */
async function unknownAgents({ options }: BoardContext, members: readonly SwarmMember[]): Promise<readonly string[]> {
  const roster = await readRoster(options.home)
  return unknownAgentTexts(
    members.map(({ assignee }) => assignee),
    roster,
  )
}
