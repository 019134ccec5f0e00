/** Finds the results of the last attempts, and why the last attempt failed. */
import type { CardDetails, CardRun } from '../card-details.ts'

export interface HandOff {
  readonly summary: string | null
  /** The full result. Null means that it equals the summary. */
  readonly result: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** The agent or the person that handed the work over. */
  readonly by: string | null
  readonly at: number | null
}

type Shown = Pick<CardDetails, 'result' | 'metadata'> & {
  readonly runs: readonly Pick<
    CardRun,
    'phase' | 'endedAt' | 'summary' | 'metadata' | 'agent' | 'claimedBy' | 'outcome' | 'error'
  >[]
}

/** The outcomes of attempts that handed over work. The question of a blocked card is shown elsewhere. */
const HANDS_OVER: ReadonlySet<string> = new Set(['completed', 'review_requested', 'stopped'])

export function handOffOf({ runs, result, metadata }: Shown): HandOff | null {
  const last = runs.findLast(
    ({ phase, outcome, summary, metadata: own }) =>
      phase !== 'review' && HANDS_OVER.has(outcome ?? '') && (summary !== null || own !== null),
  )
  const summary = last?.summary ?? result
  const facts = metadata ?? last?.metadata ?? null
  if (summary === null && facts === null) return null
  return {
    summary,
    result: result === summary ? null : result,
    metadata: facts === null || Object.keys(facts).length === 0 ? null : facts,
    by: last === undefined ? null : (last.agent ?? last.claimedBy),
    at: last?.endedAt ?? null,
  }
}

/** Returns the error of the last attempt. Null means that the attempt did not fail. */
export function lastFailure({ runs }: Pick<Shown, 'runs'>): string | null {
  const last = runs.findLast(({ endedAt }) => endedAt !== null)
  return last?.error ?? null
}

/** Formats a value of the metadata as text. Lists and objects are shown as JSON. */
export const metadataText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, typeof value === 'object' ? 2 : 0)
