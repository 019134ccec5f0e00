import * as z from 'zod'
import { actorName } from '../actor.ts'
import { isSlotPaused } from '../gates/admission.ts'
import { accept, defineVerb } from '../decision.ts'
import type { Change } from '../decision.ts'
import { line, name, runId, taskId, text, time } from '../input/fields.ts'
import { freshSlot } from '../slot.ts'
import type { TaskId } from '../ids.ts'
import { dispatches } from '../limits/lease.ts'
import { dispatcherSuperseded } from './guards.ts'

interface BurstResult {
  readonly pausedAt: number | null
  readonly forgiven: readonly TaskId[]
}

const paused = (pausedAt: number | null, forgiven: readonly TaskId[]): BurstResult => ({ pausedAt, forgiven })

/**
 * Pauses an agent if several of its cards crashed in the same way within a short time. The agent is then at fault, so
 * these crashes no longer count against the cards. Cards that the failure limit has stopped stay blocked, because only
 * a person may let them continue.
 */
export const pauseBurst = defineVerb({
  name: 'pause_burst',
  input: z.object({
    agent: name,
    machine: line,
    dispatcherTokenHash: line,
    reason: text,
    /** The crashes on this board, one per card. */
    crashes: z.array(z.object({ task: taskId, runId, startedAt: time })).max(1000),
    /** The time at which crashes on another board paused the agent. Null means that the agent is not paused. */
    pausedAt: time.nullable().default(null),
  }),
  scope: ({ agent, machine, crashes }) => ({
    slots: [{ kind: 'agent', name: agent }],
    dispatcher: { machine, access: 'read' },
    tasks: crashes.map(({ task }) => task),
  }),
  decide: ({ rows, input, actor, now }) => {
    const key = { kind: 'agent', name: input.agent } as const
    const slot = rows.slots.find(({ kind, name: named }) => kind === key.kind && named === key.name) ?? freshSlot(key)
    if (!dispatches(rows.dispatcher, input.dispatcherTokenHash, now)) return dispatcherSuperseded(input.machine)
    const pausedAt = isSlotPaused(slot, now) ? slot.pausedAt : null
    if (pausedAt !== input.pausedAt) return accept(paused(pausedAt, []))
    const ids = input.crashes.filter(({ startedAt }) => startedAt > (slot.resumedAt ?? -1)).map(({ task }) => task)
    const forgiven = [...rows.tasks.values()].filter(
      ({ id, breakerOpen, consecutiveFailures }) => ids.includes(id) && !breakerOpen && consecutiveFailures > 0,
    )
    const changes = forgiven.map(({ id, consecutiveFailures }): Change => ({
      op: 'update_task',
      id,
      patch: { consecutiveFailures: consecutiveFailures - 1 },
    }))
    const forgivenIds = forgiven.map(({ id }) => id)
    if (pausedAt !== null) return accept(paused(pausedAt, forgivenIds), { changes })
    const { reason } = input
    return accept(paused(now, forgivenIds), {
      changes: [
        {
          op: 'put_slot',
          row: { ...slot, pausedAt: now, pausedBy: actorName(actor), pauseReason: reason, pausedUntil: null },
        },
        ...changes,
      ],
      events: [{ kind: 'paused', taskId: null, data: { ...key, reason, until: null, forgiven: forgivenIds } }],
    })
  },
})
