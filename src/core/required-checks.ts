import type { Run } from './run.ts'
import type { Task } from './task.ts'

/** All that must pass before what a run says is believed: the checks of its card, and those that its agent's file asks for. */
export function requiredChecks({ checks }: Pick<Task, 'checks'>, run: Pick<Run, 'checks'> | null): readonly string[] {
  const asked = run?.checks?.ofAgent ?? []
  return [...checks, ...asked.filter((check) => !checks.includes(check))]
}

/** Whether every check passed, including those added to the card while it ran. */
export function allChecksPassed(task: Pick<Task, 'checks'>, run: Pick<Run, 'checks'>): boolean {
  const required = requiredChecks(task, run)
  if (required.length === 0) return true
  if (run.checks?.passedAt == null) return false
  const passed = new Set(run.checks.passed)
  return required.every((check) => passed.has(check))
}

/** A run knows what its agent's file asks for before anything was checked. */
export const wasChecked = ({ checks }: Pick<Run, 'checks'>): boolean => checks !== null && checks.output !== null

/** How the checks of a run stand as it is opened. */
export const initialChecks = (ofAgent: readonly string[]): Run['checks'] =>
  ofAgent.length === 0 ? null : { tries: 0, passedAt: null, contentHash: null, output: null, ofAgent: [...ofAgent] }

/** What a card's agent asked for when it last began, for where its file is not known. */
export function lastAgentChecks(runs: readonly Pick<Run, 'kind' | 'attempt' | 'checks'>[]): readonly string[] {
  const last = runs.filter(({ kind }) => kind === 'agent').toSorted((a, b) => b.attempt - a.attempt)[0]
  return last?.checks?.ofAgent ?? []
}
