import type { JudgeUsage } from './tournament.ts'

/** Adds up the usage of two questions to the judge. Null means that no model reported its usage. */
export function addJudgeUsage(one: JudgeUsage | null, other: JudgeUsage | null): JudgeUsage | null {
  if (one === null || other === null) return one ?? other
  return {
    model: other.model,
    inputTokens: sum(one.inputTokens, other.inputTokens),
    outputTokens: sum(one.outputTokens, other.outputTokens),
    costUsd: sum(one.costUsd, other.costUsd),
  }
}

const sum = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : one + other
