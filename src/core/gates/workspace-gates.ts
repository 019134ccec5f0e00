/**
 * Finds obstacles of cards whose files are on another machine, or whose branch another card uses. Such a card waits,
 * because its work would be lost if it started in an empty folder.
 */
import { obstacle } from '../reasons/reason.ts'
import type { Obstacle } from '../reasons/reason.ts'
import { isRunning, isSatisfied, keepsBranch } from '../status.ts'
import type { Task, Workspace } from '../task.ts'

/** Another card that has a worktree on the same branch, or will get one. */
export interface BranchHolder extends Pick<Task, 'id' | 'board' | 'status'> {
  readonly deleted: boolean
  readonly state: Workspace['state']
  readonly machine: string | null
  readonly host: string | null
  /** The card in whose folder the branch holder works. Null means that the branch holder has its own folder. */
  readonly owner: Task['id'] | null
  /**
   * Whether another unfinished card of the board may still need the folder: a child of the branch holder, or a card
   * that works in the folder.
   */
  readonly needed: boolean
}

type Card = Pick<Task, 'id' | 'board' | 'branch' | 'status' | 'workspace'>

export const ownBranch = (id: Task['id']): string => `muster/${id}`

/**
 * The branch that a worktree card must use, because a person chose the branch or an earlier run created it. Null means
 * that no branch is fixed.
 */
export function pinnedBranch({ branch, workspace }: Pick<Card, 'branch' | 'workspace'>) {
  const { kind, repo } = workspace
  return kind !== 'worktree' || repo === null || branch === null ? null : { repo, branch }
}

const hasFiles = ({ state }: Pick<Workspace, 'state'>): boolean =>
  state === 'live' || state === 'kept' || state === 'sweeping'

/**
 * Whether the card has a worktree. Such a card has already worked on its branch, so it waits only while another card
 * runs on that branch.
 */
const hasWorktree = ({ workspace }: Pick<Card, 'workspace'>): boolean => workspace.base !== null && hasFiles(workspace)

type Files = Pick<Workspace, 'kind' | 'machine' | 'state'>

/**
 * The machine that has the files of a card. Null means that the card can run on any machine. A `dir` workspace is the
 * same directory on every machine. If only one machine uses the store, no card is bound to a machine.
 */
export const machineOfFiles = ({ kind, machine, state }: Files): string | null =>
  kind !== 'dir' && hasFiles({ state }) ? machine : null

export function isElsewhere(workspace: Files, here: string | null): boolean {
  const machine = machineOfFiles(workspace)
  return here !== null && machine !== null && machine !== here
}

export const machineName = ({ machine, host }: Pick<Workspace, 'machine' | 'host'>): string =>
  host === null ? (machine ?? 'another machine') : `${host} (${machine})`

/** Returns an obstacle if the files are on another machine or the branch is in use. */
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

export const NO_FILES = {
  state: 'none',
  base: null,
  baseBranch: null,
  machine: null,
  host: null,
  owner: null,
  sweeper: null,
} as const satisfies Partial<Workspace>

/** The workspace of a card that starts again without the files of its earlier runs. The card keeps its branch. */
export const freshWorkspace = (workspace: Workspace): Workspace => ({ ...workspace, ...NO_FILES, path: null })

/** The earlier card on the same branch whose folder this card uses. Null means that this card has its own folder. */
export function folderOwner(task: Card, holders: readonly BranchHolder[]): Task['id'] | null {
  if (hasWorktree(task) || pinnedBranch(task) === null) return task.workspace.owner
  const [first] = holders
  const owner = first === undefined ? null : (first.owner ?? first.id)
  return owner === task.id ? null : owner
}
