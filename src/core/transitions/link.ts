import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { taskId } from '../input/fields.ts'
import { areInOneSwarm, isSynthesizer, isVerifier } from '../swarm.ts'
import type { Task } from '../task.ts'
import { isTournament } from '../tournament/tournament.ts'
import { changeableTask, isRefused, noTask, workspaceSweeping } from './guards.ts'

const input = z.object({ parent: taskId, child: taskId })

/**
 * A tournament waits for exactly its entries, so that it reads their files until the pick. A finished tournament may be
 * reopened.
 */
const refuseTournament = ({ id }: Task): Refused =>
  refuse('not_allowed', `Card ${id} is a tournament and waits only for its entries: link the entries instead.`, { id })

/** Makes one card wait for another card. If the link exists, nothing changes and no event is written. */
export const link = defineVerb({
  name: 'link',
  input,
  scope: ({ parent, child }) => ({ graph: true, parents: [parent], tasks: [child] }),
  facts: ({ input: { parent, child } }) => ({
    existing: { fact: 'link' as const, parent, child },
    cycle: { fact: 'reaches' as const, from: child, to: parent },
  }),
  decide: ({ rows, board, facts, input: { parent, child }, actor, now }) => {
    if (parent === child) return refuse('self_link', `Card ${child} cannot wait for itself.`, { id: child })
    const task = changeableTask(rows, child, actor)
    if (isRefused(task)) return task
    if (isTournament(task)) return refuseTournament(task)
    const parentTask = rows.parents.get(parent)
    if (parentTask === undefined || parentTask.deletedAt !== null) return noTask(parent)
    if (facts.existing !== null) return accept({ parent, child, linked: false })
    if (facts.cycle)
      return refuse('cycle', `${parent} already waits for ${child}, directly or through others: unlink that first.`, {
        parent,
        child,
      })
    if (parentTask.workspace.state === 'sweeping') return workspaceSweeping(parent)
    return accept(
      { parent, child, linked: true },
      {
        changes: [
          {
            op: 'insert_link',
            counted: false,
            row: {
              board: board.slug,
              parentId: parent,
              childId: child,
              createdAt: now,
              waivedBy: null,
              waivedAt: null,
            },
          },
        ],
        events: [{ kind: 'linked', taskId: child, data: { parent, child } }],
      },
    )
  },
})

export const unlink = defineVerb({
  name: 'unlink',
  input,
  scope: ({ parent, child }) => ({ graph: true, parents: [parent], tasks: [child] }),
  facts: ({ input: { parent, child } }) => ({ existing: { fact: 'link' as const, parent, child } }),
  decide: ({ rows, facts, input: { parent, child }, actor }) => {
    const task = changeableTask(rows, child, actor)
    if (isRefused(task)) return task
    if (isTournament(task)) return refuseTournament(task)
    if (facts.existing === null)
      return refuse('link_not_found', `Card ${child} does not wait for ${parent}.`, { parent, child })
    const verifier = rows.parents.get(parent)
    if (verifier !== undefined && isVerifier(verifier) && isSynthesizer(task) && areInOneSwarm(verifier, task))
      return refuse(
        'not_allowed',
        `Card ${child} starts only after ${parent} has approved the work of their swarm. To start it without the approval: muster promote ${child} --force`,
        { id: child, parent },
      )
    return accept(
      { parent, child, linked: false },
      {
        changes: [{ op: 'delete_link', parentId: parent, childId: child }],
        events: [{ kind: 'unlinked', taskId: child, data: { parent, child } }],
      },
    )
  },
})
