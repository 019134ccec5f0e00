/** Finds the repository, branch and folder of a worktree card. */
import { BoardError, diskFull, isDiskFull } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { Run } from '../../core/run.ts'
import { lastKnownCommit } from '../../core/gates/unlanded-work.ts'
import { machineName, machineOfFiles } from '../../core/gates/workspace-gates.ts'
import type { Store, TaskView } from '../../storage/store.ts'
import { branchHasCommit } from '../../workspaces/landing/land-branch.ts'
import { WorkspaceFault, faultReason } from '../../workspaces/workspace-fault.ts'
import { scratchPath } from '../../workspaces/workspace.ts'
import type { CardLocation } from '../../workspaces/workspace.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export interface WorktreeCard {
  readonly task: TaskView
  readonly repo: string
  readonly branch: string
  /** The card that owns the worktree, and the path of the worktree. The worktree may no longer exist. */
  readonly place: CardLocation
  readonly path: string
}

export async function worktreeCard(store: Store, home: string, typed: string): Promise<WorktreeCard> {
  const task = await cardNow(store, await resolveTask(store, typed))
  const { kind, repo } = task.workspace
  if (kind !== 'worktree' || repo === null)
    throw new BoardError(
      'wrong_status',
      `Card ${task.id} has no worktree. Cards created with --workspace worktree have one.`,
    )
  if (task.branch === null || task.workspace.base === null)
    throw new BoardError('wrong_status', `Card ${task.id} has not run yet, so it has no work.`)
  const place = { home, board: task.board, task: task.workspace.owner ?? task.id }
  return { task, repo, branch: task.branch, place, path: scratchPath(place) }
}

interface CommandUse {
  readonly store: Store
  readonly home: string
  readonly command: 'land' | 'diff' | 'checkout'
}

/**
 * Throws an error if this machine may not have the work. A repository at the same path can have an older branch with
 * the same name. If the worktree was removed, a machine may use its own branch, but only if this branch has the last
 * recorded commit.
 */
export async function requireWorkHere({ store, home, command }: CommandUse, card: WorktreeCard): Promise<void> {
  // With a SQLite store, the folders of cards are always on this machine.
  if (store.engine === 'sqlite') return
  const { task, repo, branch } = card
  const runs = await store.runs(task.board, task.id)
  if (isWorkHere(store, task, runs)) return
  const hasFiles = machineOfFiles(task.workspace) !== null
  const maker = makerOf(task, runs)
  const code: RefusalCode = `${command}_refused`
  const refused = (problem: string): BoardError =>
    new BoardError(code, `${problem}. Run muster ${command} ${task.id} there.`, {
      details: { id: task.id, machine: maker.machine },
    })
  if (hasFiles) throw refused(`The files of ${task.id} are on machine ${machineName(maker)}`)
  const commit = lastKnownCommit(runs, task.landed)
  const hasCommit = async () => commit !== null && branchHasCommit(home, { repo, branch, commit })
  if (!(await reportingFaults(code, repo, hasCommit)))
    throw refused(
      `${repo} on this machine may not have the work of ${task.id}, which was done on machine ${machineName(maker)}`,
    )
}

/**
 * Whether this machine certainly has the work. Another machine may have the work too, if its branch has the last
 * commit.
 */
export function isWorkHere({ engine }: Pick<Store, 'engine'>, task: TaskView, runs: readonly Run[]): boolean {
  if (engine === 'sqlite') return true
  const machine = makerOf(task, runs).machine
  return machine === null || machine === hostIfSupported()?.machine.id
}

/** The machine that has the files now. If no machine has them now, this is the machine that had them last. */
const makerOf = ({ workspace }: TaskView, runs: readonly Run[]): ReturnType<typeof lastMachine> =>
  machineOfFiles(workspace) === null ? lastMachine(runs) : workspace

/** The machine of the last run of an agent. A run of a person has no machine. */
function lastMachine(runs: readonly Run[]): { readonly machine: string | null; readonly host: string | null } {
  const last = runs.findLast(({ machine }) => machine !== null)
  return { machine: last?.machine ?? null, host: last?.dispatcher?.hostname ?? null }
}

type RefusalCode = Extract<ErrorCode, 'land_refused' | 'diff_refused' | 'checkout_refused'>

/** Converts faults of the repository into refusals with the command's error code. A full disk keeps its own code. */
export async function reportingFaults<T>(code: RefusalCode, repo: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (isDiskFull(error)) throw diskFull(repo, { details: { path: repo }, cause: error })
    if (!(error instanceof WorkspaceFault)) throw error
    throw new BoardError(code, `${faultReason(error)}.`, { cause: error })
  }
}
