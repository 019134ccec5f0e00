/**
 * The facts about a plan that are kept in the event of the planned card: its model, its reasons, and what was left out.
 */
import * as z from 'zod'
import { count, line, taskId, text } from './fields.ts'

const amount = z.number().min(0).nullable().default(null)

/** The model of a plan and what the plan cost. A number that the model does not report is null. */
const planUsageSchema = z.object({
  model: line,
  inputTokens: count.nullable().default(null),
  outputTokens: count.nullable().default(null),
  costUsd: amount,
})

export const planNoteSchema = z.object({
  rationale: text,
  usage: planUsageSchema.nullable().default(null),
  /** Dependencies that were left out, because they name no other card of the plan. */
  dropped: z
    .array(z.object({ card: line, after: line }))
    .max(200)
    .default([]),
  /**
   * Assignees that do not exist here. The default agent of the board replaces them. Null means that the card is
   * unassigned.
   */
  reassigned: z
    .array(z.object({ card: line, wanted: line, assignee: line.nullable() }))
    .max(50)
    .default([]),
})
export type PlanNote = z.infer<typeof planNoteSchema>

/** The fields that both verbs of a plan accept. */
export const planShape = {
  task: taskId,
  /** Null means that a person or an agent planned the card without a model. */
  plan: planNoteSchema.nullable().default(null),
}

/** The part of an event that describes the plan. Empty lists are left out. */
export type PlanData = Partial<Pick<PlanNote, 'rationale' | 'usage' | 'dropped' | 'reassigned'>>

export function planData(plan: PlanNote | null): PlanData {
  if (plan === null) return {}
  const { rationale, usage, dropped, reassigned } = plan
  return {
    rationale,
    usage,
    ...(dropped.length === 0 ? {} : { dropped }),
    ...(reassigned.length === 0 ? {} : { reassigned }),
  }
}
