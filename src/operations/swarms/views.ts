/** The output schemas of swarms. */
import * as z from 'zod'
import { runId, slug, taskId, text, time } from '../../core/input/fields.ts'
import { STATUSES, SWARM_ROLES } from '../../core/vocabulary.ts'

export const swarmMember = z.object({
  id: taskId,
  role: z.enum(SWARM_ROLES),
  title: text,
  status: z.enum(STATUSES),
  assignee: text.nullable(),
  /** When the card was moved to the trash. */
  deletedAt: time.nullable(),
})

export const blackboardEntry = z.object({
  board: slug,
  root: taskId,
  key: text,
  value: text,
  author: text,
  runId: runId.nullable(),
  writtenAt: time,
})

export const blackboardView = z.object({
  /** The root of the swarm. */
  root: taskId,
  entries: z.array(blackboardEntry).readonly(),
})
export type BlackboardView = z.infer<typeof blackboardView>

export const newSwarm = z.object({
  /** False if a swarm with this idempotency key exists. The ids are those of the existing swarm. */
  created: z.boolean(),
  rootId: taskId,
  workerIds: z.array(taskId).readonly(),
  verifierId: taskId,
  synthesizerId: taskId,
  members: z.array(swarmMember).readonly(),
  /** The fields in which the existing swarm differs from the input. */
  differs: z.array(text).readonly(),
  /** Agents that do not exist on this machine. */
  warnings: z.array(text).readonly(),
})
export type NewSwarm = z.infer<typeof newSwarm>
