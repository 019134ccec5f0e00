import type { ClientError } from '../../../src/client/index.ts'
import type { Plan } from '../cards/plans/plan-draft.ts'

const KINDS = ['unconfigured', 'auth', 'timed_out', 'unreachable', 'rate_limited', 'refused', 'bad_answer'] as const
type FailureKind = (typeof KINDS)[number] | 'other'

/** The kind of a failure of the model. Other errors, such as a lost connection, have no kind. */
export const failureKind = (error: Pick<ClientError, 'detail'>): FailureKind =>
  KINDS.find((kind) => kind === error.detail('failure')) ?? 'other'

export type PlanUsage = NonNullable<Plan['usage']>

/** The usage of the model before it failed. Null means that no request reported its usage. */
export function failureUsage({ details }: Pick<ClientError, 'details'>): PlanUsage | null {
  const usage = details['usage'] as Partial<PlanUsage> | null | undefined
  if (usage == null || typeof usage.model !== 'string') return null
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  return {
    model: usage.model,
    inputTokens: number(usage.inputTokens),
    outputTokens: number(usage.outputTokens),
    costUsd: number(usage.costUsd),
  }
}
