/** Builds the line under the title: what the agent is doing, or what happened last. */
import { isRunning } from '../../../../src/core/status.ts'
import type { CardDetails, CardRun } from '../card-details.ts'

export interface CardFacts {
  /** The agent of the last attempt. Without an attempt, the agent of the card. */
  readonly agent: string | null
  readonly moment: { readonly is: 'running' | 'ended' | 'finished' | 'deleted' | 'created'; readonly at: number }
  readonly attempt: number | null
  /** The duration of the last attempt. Null while it runs. */
  readonly durationMs: number | null
  /** The tokens that the last attempt read and wrote. Null means that they are unknown. */
  readonly tokens: number | null
  /** The cost of the last attempt in US dollars. Null means that the cost is unknown. */
  readonly costUsd: number | null
}

type Shown = Pick<CardDetails, 'assignee' | 'status' | 'runs' | 'createdAt' | 'completedAt' | 'deletedAt'>

export function cardFacts(card: Shown): CardFacts {
  const last = card.runs.findLast(({ kind }) => kind === 'agent') ?? card.runs.at(-1)
  const durationMs = last === undefined || last.endedAt === null ? null : last.endedAt - last.startedAt
  return {
    agent: (last === undefined ? null : workerOf(last)) ?? card.assignee,
    moment: momentOf(card, last),
    attempt: last?.attempt ?? null,
    durationMs,
    tokens: last === undefined ? null : tokensOf(last),
    costUsd: last?.usage?.costUsd ?? null,
  }
}

/** The agent or person that works in a run. */
const workerOf = ({ agent, claimedBy }: Pick<CardRun, 'agent' | 'claimedBy'>): string => agent ?? claimedBy

function tokensOf({ usage }: Pick<CardRun, 'usage'>): number | null {
  const { inputTokens = null, outputTokens = null } = usage ?? {}
  return inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0)
}

function momentOf(card: Shown, last: CardRun | undefined): CardFacts['moment'] {
  if (card.deletedAt !== null) return { is: 'deleted', at: card.deletedAt }
  if (last !== undefined && isRunning(card.status)) return { is: 'running', at: last.startedAt }
  if (card.completedAt !== null) return { is: 'finished', at: card.completedAt }
  if (last?.endedAt != null) return { is: 'ended', at: last.endedAt }
  return { is: 'created', at: card.createdAt }
}
