/**
 * Gates that follow from where the files of a card are: on one machine, in one worktree of one branch. Neither may be
 * passed by starting the card in an empty folder.
 */
import { isSatisfied } from './readiness.ts'
import { obstacle } from './reason.ts'
import type { Obstacle } from './reason.ts'
import type { Task, Workspace } from './task.ts'

/** Another card whose worktree is on the branch that a card names, or is about to be. */
export interface BranchHolder extends Pick<Task, 'id' | 'board' | 'status'> {
  readonly deleted: boolean
  readonly state: Workspace['state']
  readonly machine: string | null
  readonly host: string | null
  /** The card whose folder it works in; null: its own. */
  readonly owner: Task['id'] | null
}

type Card = Pick<Task, 'id' | 'board' | 'branch' | 'status' | 'workspace'>

export const ownBranch = (id: Task['id']): string => `muster/${id}`

/** The branch that a person chose for a worktree; null for every other card. Only such a branch can be shared. */
export function pinnedBranch({ id, branch, workspace }: Pick<Card, 'id' | 'branch' | 'workspace'>) {
  const { kind, repo } = workspace
  if (kind !== 'worktree' || repo === null || branch === null || branch === ownBranch(id)) return null
  return { repo, branch }
}

const hasFiles = ({ state }: Pick<Workspace, 'state'>): boolean =>
  state === 'live' || state === 'kept' || state === 'sweeping'

/** A card that worked on the branch before: it waits only for a card that runs there now. */
const hasWorktree = ({ workspace }: Pick<Card, 'workspace'>): boolean => workspace.base !== null && hasFiles(workspace)

/**
 * A directory is never bound to a machine: the person who named its path answers for it. A store of one machine binds
 * nothing either, since its folders move with it.
 */
export const isElsewhere = ({ kind, machine, state }: Workspace, here: string | null): boolean =>
  kind !== 'dir' && here !== null && machine !== null && machine !== here && hasFiles({ state })

export const machineName = ({ machine, host }: Pick<Workspace, 'machine' | 'host'>): string =>
  host === null ? (machine ?? 'another machine') : `${host} (${machine})`

/** At most one: where the files are, or why the branch is not free. */
export function placeObstacles(task: Card, here: string | null, holders: readonly BranchHolder[]): Obstacle[] {
  const { machine, host } = task.workspace
  if (isElsewhere(task.workspace, here) && machine !== null) return [obstacle('files_elsewhere', { machine, host })]
  const pinned = pinnedBranch(task)
  if (pinned === null) return []
  const holder = holders.find((one) => blocks(one, task, here))
  return holder === undefined ? [] : [holderObstacle(pinned.branch, holder, here)]
}

/** Cards that wait for a parent do not keep the branch from that parent. */
const isBusy = ({ status, deleted }: BranchHolder): boolean => !deleted && !isSatisfied(status) && status !== 'todo'

function blocks(holder: BranchHolder, task: Card, here: string | null): boolean {
  if (holder.status === 'running' || holder.state === 'sweeping') return true
  if (hasWorktree(task)) return false
  return isBusy(holder) || holder.board !== task.board || isHeldElsewhere(holder, here)
}

const isHeldElsewhere = ({ machine }: BranchHolder, here: string | null): boolean =>
  machine !== null && here !== null && machine !== here

function holderObstacle(branch: string, holder: BranchHolder, here: string | null): Obstacle {
  const { id: card, status, state, machine, host, board } = holder
  if (state === 'sweeping') return obstacle('branch_sweeping', { branch, card })
  if (isBusy(holder)) return obstacle('branch_in_use', { branch, card, status })
  if (isHeldElsewhere(holder, here) && machine !== null)
    return obstacle('branch_elsewhere', { branch, card, machine, host })
  return obstacle('branch_on_board', { branch, card, board })
}

/** The workspace of a card that starts again without the files of its earlier runs. Its branch stays. */
export const freshWorkspace = (workspace: Workspace): Workspace => ({
  ...workspace,
  path: null,
  state: 'none',
  base: null,
  baseBranch: null,
  machine: null,
  host: null,
  owner: null,
  sweeper: null,
})

/** The card whose folder this one works in: that of an earlier card on the same branch, or its own (null). */
export function folderOwner(task: Card, holders: readonly BranchHolder[]): Task['id'] | null {
  if (hasWorktree(task) || pinnedBranch(task) === null) return task.workspace.owner
  const [first] = holders
  return first === undefined ? null : (first.owner ?? first.id)
}
