/** A plan for a card in triage: either its full text, or the cards that it is split into. */
import * as z from 'zod'
import { findCycle } from '../../core/gates/readiness.ts'
import { body, title } from '../../core/input/card-values.ts'
import { line, name, taskId } from '../../core/input/fields.ts'
import { planNoteSchema } from '../../core/input/plan-input.ts'

/** The maximum number of cards that one card is split into. */
export const CARDS_IN_PLAN = 12
const CHECKS_MAX = 8

const checks = z.array(line).max(CHECKS_MAX).default([]).describe('Commands that must pass; a person approves them')
const assignee = name.nullable().default(null).describe('An agent, or null for the default agent')

const plannedCard = z.object({
  key: z.string().min(1).max(40).describe('A short name that other cards of the plan use'),
  title,
  body: body.default(''),
  assignee,
  checks,
  after: z.array(z.string()).max(CARDS_IN_PLAN).default([]).describe('The keys of the cards that must finish first'),
})
export type PlannedCard = z.infer<typeof plannedCard>

const about = { task: taskId, ...planNoteSchema.shape }

export const planSchema = z
  .discriminatedUnion('kind', [
    z.object({ ...about, kind: z.literal('specify'), title, body: body.nullable().default(null), assignee, checks }),
    z.object({ ...about, kind: z.literal('decompose'), cards: z.array(plannedCard).min(1).max(CARDS_IN_PLAN) }),
  ])
  .superRefine((plan, ctx) => {
    const fault = plan.kind === 'decompose' ? graphFault(plan.cards) : null
    if (fault !== null) ctx.addIssue({ code: 'custom', path: ['cards'], message: fault })
  })
export type Plan = z.infer<typeof planSchema>
export type SplitPlan = Extract<Plan, { kind: 'decompose' }>
export type SpecifyPlan = Extract<Plan, { kind: 'specify' }>

/**
 * Returns a fault of the graph that keeps cards from finishing, such as a cycle. Null means that the graph is valid.
 */
export function graphFault(cards: readonly Pick<PlannedCard, 'key' | 'after'>[]): string | null {
  const keys = new Set(cards.map(({ key }) => key))
  if (keys.size < cards.length) return 'must have different keys'
  const stray = cards.flatMap(({ key, after }) => after.filter((other) => !keys.has(other) || other === key))[0]
  if (stray !== undefined) return `cannot wait for ${stray}: use the keys of other cards`
  const cycle = findCycle(new Map(cards.map(({ key, after }) => [key, after])))
  return cycle === null ? null : `would wait for each other: ${cycle.join(' → ')}`
}
