/** The commands that help with a card now, most useful first. Each command is allowed in the card's present state. */
import type { Run } from '../run.ts'
import { accepts, isArchived, isInReview, isRunning, isSatisfied } from '../status.ts'
import type { Task } from '../task.ts'
import type { Reason, Remedy } from './reason.ts'

/** The commands that show or use the result of a card. They do not end a wait of the card. */
const RESULT_COMMANDS = ['diff', 'land', 'log', 'unarchive'] as const

export interface NextStep extends Omit<Remedy, 'operation'> {
  readonly operation: Remedy['operation'] | (typeof RESULT_COMMANDS)[number]
}

export interface StepInput {
  readonly task: Pick<Task, 'id' | 'status' | 'branch' | 'workspace' | 'breakerOpen'>
  /** The reasons why the card waits. Null means that the reasons could not be read. */
  readonly reasons: readonly Reason[] | null
  readonly runs: readonly Pick<Run, 'kind' | 'changes'>[]
  readonly hasUnlandedWork: boolean
  /** Whether this machine has the card's repository and the commits of the card. */
  readonly isWorkHere: boolean
}

export function nextSteps(input: StepInput): readonly NextStep[] {
  const { task, reasons, hasUnlandedWork } = input
  const remedies = (reasons ?? []).flatMap((reason) => reason.remedies)
  const diff = stepsIf(hasDiff(input), task, 'diff')
  const log = stepsIf(hasLog(input), task, 'log')
  if (!isSatisfied(task.status)) {
    if (isRunning(task.status)) return distinct([...log, ...diff, ...remedies])
    if (isInReview(task.status)) return distinct([...diff, ...remedies])
    return distinct([...(task.breakerOpen ? log : []), ...remedies, ...diff])
  }
  const land = hasUnlandedWork && diff.length > 0 && accepts(task.status, 'land') ? [landStep(task)] : []
  const unarchive = stepsIf(isArchived(task.status), task, 'unarchive')
  const steps = [...diff, ...land, ...unarchive, ...log]
  // A finished card is rarely reopened. So commands such as `reopen` are listed only after a command that shows the
  // result.
  return steps.length === 0 ? [] : distinct([...steps, ...remedies])
}

const stepsIf = (isLegal: boolean, { id }: Pick<Task, 'id'>, operation: NextStep['operation']): readonly NextStep[] =>
  isLegal ? [{ operation, input: { task: id }, asks: [] }] : []

const hasDiff = ({ task: { status, branch, workspace }, runs, isWorkHere, hasUnlandedWork }: StepInput): boolean =>
  workspace.kind === 'worktree' &&
  workspace.repo !== null &&
  workspace.base !== null &&
  branch !== null &&
  isWorkHere &&
  (isRunning(status) ||
    hasUnlandedWork ||
    runs.some(({ changes }) => changes !== null && (changes.files > 0 || changes.commit !== null)))

/** Whether the card has a log. Only runs of agents have a log. */
const hasLog = ({ runs }: StepInput): boolean => runs.some(({ kind }) => kind === 'agent')

/** The step that lands the work. If Muster does not know the base branch, the person must name a branch. */
const landStep = ({ id, workspace }: StepInput['task']): NextStep => ({
  operation: 'land',
  input: { task: id },
  asks: workspace.baseBranch === null ? ['into'] : [],
})

const distinct = (steps: readonly NextStep[]): readonly NextStep[] => [
  ...new Map(steps.map((step) => [JSON.stringify([step.operation, step.input, step.asks]), step])).values(),
]
