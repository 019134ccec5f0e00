import type { Run } from './run.ts'
import type { Task } from './task.ts'

/** All checks that must pass before a verdict applies: the checks of the card, and the checks in the agent's file. */
export function requiredChecks({ checks }: Pick<Task, 'checks'>, run: Pick<Run, 'checks'> | null): readonly string[] {
  const ofAgent = run?.checks?.ofAgent ?? []
  return [...checks, ...ofAgent.filter((check) => !checks.includes(check))]
}

/** Whether every check passed, including checks that were added to the card during the run. */
export function allChecksPassed(task: Pick<Task, 'checks'>, run: Pick<Run, 'checks'>): boolean {
  const required = requiredChecks(task, run)
  if (required.length === 0) return true
  if (run.checks?.passedAt == null) return false
  const passed = new Set(run.checks.passed)
  return required.every((check) => passed.has(check))
}

/**
 * Whether the checks have run. The run lists the checks of the agent before the checks run, so only their output proves
 * that they ran.
 */
export const wasChecked = ({ checks }: Pick<Run, 'checks'>): boolean => checks !== null && checks.output !== null

export interface CheckCount {
  readonly passed: number
  readonly total: number
}

/**
 * Counts the checks that passed when they last ran. Null means that no check has run, or that an older Muster recorded
 * no numbers.
 */
export function countChecks(checks: Run['checks']): CheckCount | null {
  if (checks === null || checks.output === null) return null
  const passed = checks.passed?.length ?? 0
  const total = checks.ran ?? (checks.passedAt === null ? null : passed)
  return total === null ? null : { passed, total }
}

/** The check state of a new run. */
export const initialChecks = (ofAgent: readonly string[]): Run['checks'] =>
  ofAgent.length === 0 ? null : { tries: 0, passedAt: null, contentHash: null, output: null, ofAgent: [...ofAgent] }

/** The agent's checks as its last run stored them, for callers that cannot read the agent's file. */
export function lastAgentChecks(runs: readonly Pick<Run, 'kind' | 'attempt' | 'checks'>[]): readonly string[] {
  const last = runs.filter(({ kind }) => kind === 'agent').toSorted((a, b) => b.attempt - a.attempt)[0]
  return last?.checks?.ofAgent ?? []
}
