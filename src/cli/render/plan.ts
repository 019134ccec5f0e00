/** Formats a plan: what it would write, and what Muster changed in the answer of the model. */
import type { PlanResult } from '../../operations/plans/views.ts'
import type { Plan } from '../../planning/plans/plan.ts'
import { multiLine, oneLine } from '../output/escape.ts'

const SHOWN_LINES = 6

export function planText({ id, plan, applied, children, task }: PlanResult): string {
  const head =
    plan.kind === 'decompose'
      ? `${applied ? 'Split' : 'Would split'} ${id} into ${plan.cards.length} cards:`
      : `${applied ? 'Specified' : 'Would specify'} ${id}${applied ? `  (${task.status})` : ''}: ${oneLine(plan.title)}`
  const body = plan.kind === 'decompose' ? cardLines(plan, children) : specificationLines(plan)
  return [head, ...body, ...remarks(plan)].join('\n')
}

function cardLines(plan: Extract<Plan, { kind: 'decompose' }>, children: readonly string[]): readonly string[] {
  return plan.cards.flatMap(({ key, title, assignee, after, checks }, at) => [
    `  ${children[at] ?? oneLine(key)}  ${oneLine(title)}  (${assignee === null ? 'default agent' : oneLine(assignee)}${after.length === 0 ? '' : `, after ${after.map(oneLine).join(', ')}`})`,
    ...checks.map((check) => `      check, needs approval: ${oneLine(check)}`),
  ])
}

function specificationLines({ assignee, checks, body }: Extract<Plan, { kind: 'specify' }>): readonly string[] {
  const lines = multiLine(body ?? '').split('\n')
  return [
    ...(assignee === null ? [] : [`  assignee ${oneLine(assignee)}`]),
    ...lines.slice(0, SHOWN_LINES).map((line) => `  ${line}`.trimEnd()),
    ...(lines.length > SHOWN_LINES ? [`  … ${lines.length - SHOWN_LINES} more lines`] : []),
    ...checks.map((check) => `  check, needs approval: ${oneLine(check)}`),
  ]
}

function remarks({ rationale, usage, dropped, reassigned }: Plan): readonly string[] {
  return [
    ...(rationale === '' ? [] : [`  Why: ${oneLine(rationale)}`]),
    ...dropped.map(({ card, after }) => `  Left out: ${oneLine(card)} after ${oneLine(after)}, which is no other card`),
    ...reassigned.map(
      ({ card, wanted, assignee }) =>
        `  No agent ${oneLine(wanted)}: ${oneLine(card)} goes to ${assignee === null ? 'the default agent' : oneLine(assignee)}`,
    ),
    ...(usage === null ? [] : [`  ${usageText(usage)}`]),
  ]
}

function usageText({ model, inputTokens, outputTokens, costUsd }: NonNullable<Plan['usage']>): string {
  const tokens =
    inputTokens === null && outputTokens === null ? '' : `, ${(inputTokens ?? 0) + (outputTokens ?? 0)} tokens`
  return `Planned by ${oneLine(model)}${tokens}${costUsd === null ? '' : `, $${costUsd.toFixed(4)}`}`
}
