/** Writes the blackboard of a swarm. Only people and the members of the swarm may do this. */
import * as z from 'zod'
import { actorName, actorRun } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused, ScopeRows } from '../decision.ts'
import { line, taskId, text } from '../input/fields.ts'
import { BLACKBOARD_LIMITS, areInOneSwarm } from '../swarm.ts'
import type { BlackboardEntry } from '../swarm.ts'
import type { Task } from '../task.ts'
import { findTask, isRefused } from './guards.ts'

const { keys: KEYS_MAX, key: KEY_MAX, value: VALUE_MAX } = BLACKBOARD_LIMITS

export const blackboardKey = line.refine(
  (value) => value.length <= KEY_MAX && !/[\r\n]/.test(value),
  `must be one line of at most ${KEY_MAX} characters`,
)

export const blackboardValue = text.refine(
  (value) => value.length <= VALUE_MAX,
  `must be at most ${VALUE_MAX} characters; attach a file to your card instead`,
)

/** Null as the value removes the entry. */
export const writeBlackboard = defineVerb({
  name: 'write_blackboard',
  input: z.object({ root: taskId, key: blackboardKey, value: blackboardValue.nullable() }),
  // The lock on the root makes the number of entries exact.
  scope: ({ root }, _board, actor) => ({ tasks: [root], parents: cardOf(actor) }),
  facts: ({ input: { root, key } }) => ({ use: { fact: 'blackboard_use' as const, root, key } }),
  decide: ({ rows, board, facts: { use }, input: { root: id, key, value }, actor, now }) => {
    const root = findTask(rows, id)
    if (isRefused(root)) return root
    if (root.swarmRole !== 'root') return refuse('swarm_not_found', `Card ${id} is not the root of a swarm.`, { id })
    const refused = refuseWriter(root, rows, actor)
    if (refused) return refused
    const author = actorName(actor)
    if (value === null) {
      if (!use.hasKey) return accept({ root: id, key, written: false })
      return accept(
        { root: id, key, written: true },
        {
          changes: [{ op: 'delete_blackboard_entry', root: id, key }],
          events: [{ kind: 'blackboard_removed', taskId: id, runId: actorRun(actor), data: { key, author } }],
        },
      )
    }
    if (!use.hasKey && use.entries >= KEYS_MAX)
      return refuse(
        'not_allowed',
        `The blackboard of ${id} has ${use.entries} entries, the most it can have: change or remove one of them.`,
        { id, entries: use.entries },
      )
    const row: BlackboardEntry = {
      board: board.slug,
      root: id,
      key,
      value,
      author,
      runId: actorRun(actor),
      writtenAt: now,
    }
    return accept(
      { root: id, key, written: true },
      {
        changes: [{ op: 'put_blackboard_entry', row }],
        events: [
          {
            kind: 'blackboard_written',
            taskId: id,
            runId: row.runId,
            data: { key, author, length: value.length },
          },
        ],
      },
    )
  },
})

const cardOf = (actor: Actor) => ('taskId' in actor && actor.taskId !== null ? [actor.taskId] : [])

/** An agent may write only while it works on a member of the swarm. */
function refuseWriter(root: Task, { parents }: ScopeRows, actor: Actor): Refused | null {
  if (actor.kind === 'person') return null
  const own = cardOf(actor).map((id) => parents.get(id))[0]
  if (own !== undefined && areInOneSwarm(own, root)) return null
  return refuse('not_allowed', `Only the members of swarm ${root.id} and people may write its blackboard.`, {
    id: root.id,
  })
}
