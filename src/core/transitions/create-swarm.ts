/** Creates a swarm: its root, its workers, its verifier and its synthesizer, all of them or none. */
import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Change, Refused, ScopeRows } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import type { TaskId } from '../ids.ts'
import { cardInputSchema } from '../input/card-input.ts'
import type { CardInput } from '../input/card-input.ts'
import { cardOfRun, creationsOf } from '../limits/run-limits.ts'
import type { Task } from '../task.ts'
import { SWARM_WORKERS_MAX } from '../vocabulary.ts'
import type { SwarmRole } from '../vocabulary.ts'
import { buildCards, keyless, refuseNewCards, refuseReservedKey } from './create.ts'
import type { CreateContext } from './create.ts'

const input = z
  .object({
    /** The root holds the goal as its body. It has no work of its own, so it is done from the start. */
    root: cardInputSchema,
    workers: z
      .array(cardInputSchema)
      .min(1, 'has no worker')
      .max(SWARM_WORKERS_MAX, `has more than ${SWARM_WORKERS_MAX} workers`),
    verifier: cardInputSchema,
    synthesizer: cardInputSchema,
  })
  .refine((swarm) => new Set(cardsOf(swarm).map(({ id }) => id)).size === cardsOf(swarm).length, 'card ids must differ')
  .refine((swarm) => keyless(cardsOf(swarm).slice(1)), 'only the root of a swarm may have an idempotency key')
type Input = z.infer<typeof input>

interface SwarmCards {
  readonly root: CardInput
  readonly workers: readonly CardInput[]
  readonly verifier: CardInput
  readonly synthesizer: CardInput
}

const cardsOf = ({ root, workers, verifier, synthesizer }: SwarmCards): readonly CardInput[] => [
  root,
  ...workers,
  verifier,
  synthesizer,
]

/** The fields that must be equal to those of the existing root with the same idempotency key. */
const COMPARED = ['title', 'body', 'tenant'] as const

export const createSwarm = defineVerb({
  name: 'create_swarm',
  input,
  scope: (_input, _board, actor) => ({ graph: true, board: 'read' as const, tasks: cardOfRun(actor) }),
  facts: ({ input: swarm, actor }) => ({
    creations: creationsOf(actor),
    existing: { fact: 'cards' as const, ids: cardsOf(swarm).map(({ id }) => id) },
    byKey: { fact: 'by_key' as const, key: swarm.root.idempotencyKey },
  }),
  decide: ({ rows, board, facts, input: swarm, actor, now }) => {
    const { root } = swarm
    const reserved = refuseReservedKey(root, actor)
    if (reserved) return reserved
    const known = facts.byKey
    if (known !== null) {
      if (known.swarmRole !== 'root') return keyOfCard(known)
      const differs: string[] = COMPARED.filter((key) => known[key] !== root[key])
      return accept({ root: known.id, created: false, differs })
    }
    const resend = facts.existing.find((card) => card.id === root.id)
    if (resend?.board === board.slug && resend.title === root.title)
      return accept({ root: root.id, created: false, differs: [] as string[] })
    const refused = refuseNewCards(cardsOf(swarm).length, { ...facts, actor, board })
    if (refused) return refused
    const built = buildSwarm(swarm, { rows, board, actor, now })
    return 'ok' in built ? built : accept({ root: root.id, created: true, differs: [] as string[] }, built)
  },
})

const keyOfCard = ({ id, idempotencyKey }: Task): Refused =>
  refuse(
    'id_taken',
    `Idempotency key ${idempotencyKey} belongs to card ${id}, which is not a swarm. Use another key.`,
    {
      id,
      idempotencyKey,
    },
  )

interface Built {
  readonly changes: readonly Change[]
  readonly events: readonly EventDraft[]
}

/** The root comes first, because its children depend on the status of its row. */
function buildSwarm({ root, workers, verifier, synthesizer }: Input, context: CreateContext): Built | Refused {
  const alone = buildCards([{ ...root, parents: [] }], context)
  if ('ok' in alone) return alone
  const roleOf = new Map<TaskId, SwarmRole>([
    [root.id, 'root'],
    ...workers.map(({ id }) => [id, 'worker'] as const),
    [verifier.id, 'verifier'],
    [synthesizer.id, 'synthesizer'],
  ])
  const inSwarm = (row: Task): Task => ({
    ...row,
    swarm: root.id,
    swarmRole: roleOf.get(row.id) ?? null,
    ...(row.id === root.id ? { status: 'done', completedAt: context.now } : {}),
  })
  const rows = withParents(context.rows, alone.tasks.map(inSwarm))
  const members = [
    ...workers.map((card) => ({ ...card, parents: [root.id] })),
    { ...verifier, parents: workers.map(({ id }) => id) },
    { ...synthesizer, parents: [verifier.id] },
  ]
  const built = buildCards(members, { ...context, rows })
  if ('ok' in built) return built
  return {
    changes: [...alone.changes, ...built.changes].map((change) =>
      change.op === 'insert_task' ? { ...change, row: inSwarm(change.row) } : change,
    ),
    events: [
      ...alone.events.map((event) => asDone(event)),
      ...built.events,
      {
        kind: 'swarm_created',
        taskId: root.id,
        data: { workers: workers.map(({ id }) => id), verifier: verifier.id, synthesizer: synthesizer.id },
      },
    ],
  }
}

const withParents = (rows: ScopeRows, parents: readonly Task[]): ScopeRows => ({
  ...rows,
  parents: new Map(parents.map((row) => [row.id, row])),
})

const asDone = (event: EventDraft): EventDraft =>
  event.kind === 'created' ? { ...event, data: { ...event.data, status: 'done' } } : event
