import type { Run } from './run.ts'
import type { Task } from './task.ts'

/** All checks that must pass before a verdict counts: those of the card, and those of the agent's file. */
export function requiredChecks({ checks }: Pick<Task, 'checks'>, run: Pick<Run, 'checks'> | null): readonly string[] {
  const ofAgent = run?.checks?.ofAgent ?? []
  return [...checks, ...ofAgent.filter((check) => !checks.includes(check))]
}

/** Whether every check passed, including those added to the card while it ran. */
export function allChecksPassed(task: Pick<Task, 'checks'>, run: Pick<Run, 'checks'>): boolean {
  const required = requiredChecks(task, run)
  if (required.length === 0) return true
  if (run.checks?.passedAt == null) return false
  const passed = new Set(run.checks.passed)
  return required.every((check) => passed.has(check))
}

/**
 * Whether the checks have run. A run stores the agent's checks before they run, so only the output shows that they ran.
 */
export const wasChecked = ({ checks }: Pick<Run, 'checks'>): boolean => checks !== null && checks.output !== null

/** The check state of a new run. */
export const initialChecks = (ofAgent: readonly string[]): Run['checks'] =>
  ofAgent.length === 0 ? null : { tries: 0, passedAt: null, contentHash: null, output: null, ofAgent: [...ofAgent] }

/** The agent's checks as its last run stored them, for callers that cannot read the agent's file. */
export function lastAgentChecks(runs: readonly Pick<Run, 'kind' | 'attempt' | 'checks'>[]): readonly string[] {
  const last = runs.filter(({ kind }) => kind === 'agent').toSorted((a, b) => b.attempt - a.attempt)[0]
  return last?.checks?.ofAgent ?? []
}
