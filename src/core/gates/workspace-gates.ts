/**
 * Gates for cards whose files are on another machine, or whose branch another card uses. Such a card waits, because a
 * start in an empty folder would lose work.
 */
import { obstacle } from '../reasons/reason.ts'
import type { Obstacle } from '../reasons/reason.ts'
import { isRunning, isSatisfied, keepsBranch } from '../status.ts'
import type { Task, Workspace } from '../task.ts'

/** Another card that has a worktree on the same branch, or is about to get one. */
export interface BranchHolder extends Pick<Task, 'id' | 'board' | 'status'> {
  readonly deleted: boolean
  readonly state: Workspace['state']
  readonly machine: string | null
  readonly host: string | null
  /** The card whose folder this holder works in. Null means its own folder. */
  readonly owner: Task['id'] | null
  /**
   * Whether an unfinished card of the same board may still need the folder: a child of this holder, or a card that
   * works in the folder.
   */
  readonly needed: boolean
}

type Card = Pick<Task, 'id' | 'board' | 'branch' | 'status' | 'workspace'>

export const ownBranch = (id: Task['id']): string => `muster/${id}`

/**
 * The branch that a worktree card is tied to, because a person chose it or an earlier run created it. Null for a card
 * without such a branch.
 */
export function pinnedBranch({ branch, workspace }: Pick<Card, 'branch' | 'workspace'>) {
  const { kind, repo } = workspace
  return kind !== 'worktree' || repo === null || branch === null ? null : { repo, branch }
}

const hasFiles = ({ state }: Pick<Workspace, 'state'>): boolean =>
  state === 'live' || state === 'kept' || state === 'sweeping'

/**
 * Whether the card has a worktree. Such a card has worked on its branch before, so it waits only while another card
 * runs on that branch.
 */
const hasWorktree = ({ workspace }: Pick<Card, 'workspace'>): boolean => workspace.base !== null && hasFiles(workspace)

/**
 * The machine that has the files of a card; null if any machine can work on it. A `dir` workspace is never bound to a
 * machine, because its path must lead to the same directory on every machine. If one machine owns the store, no card is
 * bound, because the folders move with the store.
 */
export const machineOfFiles = ({ kind, machine, state }: Workspace): string | null =>
  kind !== 'dir' && hasFiles({ state }) ? machine : null

export function isElsewhere(workspace: Workspace, here: string | null): boolean {
  const machine = machineOfFiles(workspace)
  return here !== null && machine !== null && machine !== here
}

export const machineName = ({ machine, host }: Pick<Workspace, 'machine' | 'host'>): string =>
  host === null ? (machine ?? 'another machine') : `${host} (${machine})`

/** At most one obstacle: the files are on another machine, or the branch is in use. */
export function locationObstacles(task: Card, here: string | null, holders: readonly BranchHolder[]): Obstacle[] {
  const { machine, host } = task.workspace
  if (isElsewhere(task.workspace, here) && machine !== null) return [obstacle('files_elsewhere', { machine, host })]
  const pinned = pinnedBranch(task)
  if (pinned === null) return []
  const holder = holders.find((one) => blocks(one, task, here))
  return holder === undefined ? [] : [holderObstacle(pinned.branch, holder, here)]
}

const holdsBranch = ({ status, deleted }: BranchHolder): boolean => !deleted && keepsBranch(status)

function blocks(holder: BranchHolder, task: Card, here: string | null): boolean {
  if (isRunning(holder.status) || holder.state === 'sweeping') return true
  if (hasWorktree(task)) return false
  return holdsBranch(holder) || holder.board !== task.board || isHeldElsewhere(holder, here)
}

const isHeldElsewhere = ({ machine }: BranchHolder, here: string | null): boolean =>
  machine !== null && here !== null && machine !== here

function holderObstacle(branch: string, holder: BranchHolder, here: string | null): Obstacle {
  const { id: card, status, state, machine, host, board } = holder
  if (state === 'sweeping') return obstacle('branch_sweeping', { branch, card })
  if (holdsBranch(holder)) return obstacle('branch_in_use', { branch, card, status })
  if (isHeldElsewhere(holder, here) && machine !== null)
    return obstacle('branch_elsewhere', { branch, card, machine, host })
  return obstacle('branch_on_board', { branch, card, board, discardable: isDiscardable(holder) })
}

/** Whether a person may discard the folder now. */
const isDiscardable = ({ status, deleted, owner, needed }: BranchHolder): boolean =>
  isSatisfied(status) && !deleted && owner === null && !needed

/** The workspace fields of a card before its first run. */
export const NO_FILES = {
  state: 'none',
  base: null,
  baseBranch: null,
  machine: null,
  host: null,
  owner: null,
  sweeper: null,
} as const satisfies Partial<Workspace>

/** The workspace of a card that starts again without the files of its earlier runs. Its branch stays. */
export const freshWorkspace = (workspace: Workspace): Workspace => ({ ...workspace, ...NO_FILES, path: null })

/** The earlier card on the same branch whose folder this card uses. Null means its own folder. */
export function folderOwner(task: Card, holders: readonly BranchHolder[]): Task['id'] | null {
  if (hasWorktree(task) || pinnedBranch(task) === null) return task.workspace.owner
  const [first] = holders
  const owner = first === undefined ? null : (first.owner ?? first.id)
  return owner === task.id ? null : owner
}
