/** Builds the rows of a card's attempts, and the totals of their time and cost. */
import type { CardDetails, CardRun } from '../card-details.ts'

export type OutcomeTone = 'good' | 'bad' | 'quiet' | 'live'

const GOOD: ReadonlySet<string> = new Set(['completed', 'review_requested', 'changes_requested'])
const QUIET: ReadonlySet<string> = new Set(['blocked', 'reclaimed', 'interrupted', 'stopped', 'rate_limited'])

export function toneOfRun({ endedAt, outcome }: Pick<CardRun, 'endedAt' | 'outcome'>): OutcomeTone {
  if (endedAt === null || outcome === null) return 'live'
  if (GOOD.has(outcome)) return 'good'
  return QUIET.has(outcome) ? 'quiet' : 'bad'
}

/** Why the attempt ended, in the words of an agent, a program or a person. */
export const reasonOfRun = ({
  error,
  summary,
  verdict,
}: Pick<CardRun, 'error' | 'summary' | 'verdict'>): string | null =>
  error ?? (verdict !== null && 'reason' in verdict ? verdict.reason : null) ?? summary

export interface Totals {
  readonly attempts: number
  readonly costUsd: number | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** The total time of all finished attempts. */
  readonly durationMs: number
}

/** Adds up a number over the attempts that report it. Null means that no attempt reports it. */
const sum = (values: readonly (number | null | undefined)[]): number | null => {
  const known = values.filter((value) => value != null)
  return known.length === 0 ? null : known.reduce((all, value) => all + value, 0)
}

export const totalsOf = ({ runs }: Pick<CardDetails, 'runs'>): Totals => ({
  attempts: runs.length,
  costUsd: sum(runs.map(({ usage }) => usage?.costUsd)),
  inputTokens: sum(runs.map(({ usage }) => usage?.inputTokens)),
  outputTokens: sum(runs.map(({ usage }) => usage?.outputTokens)),
  durationMs: sum(runs.map(({ startedAt, endedAt }) => (endedAt === null ? null : endedAt - startedAt))) ?? 0,
})

/** Finds the attempt that the URL names, by its number or its id. */
export const namedRun = (runs: readonly CardRun[], name: string | null): CardRun | null =>
  name === null ? null : (runs.find(({ id, attempt }) => id === name || String(attempt) === name) ?? null)
