/**
 * Finds out why git cannot check out the branch that a card names. The check happens before the claim, so that a branch
 * in use does not cost an attempt.
 */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { inHome } from '../../config/home.ts'
import { obstacle } from '../../core/reasons/reason.ts'
import type { Obstacle } from '../../core/reasons/reason.ts'
import type { Task } from '../../core/task.ts'
import { pinnedBranch } from '../../core/gates/workspace-gates.ts'
import type { BranchHolder } from '../../core/gates/workspace-gates.ts'
import { usersGit } from './git.ts'
import type { Git } from './git.ts'
import { findRepository, repositoryPlace } from './repository.ts'
import { HEADS, allWorktrees } from './worktree.ts'
import type { WorktreeEntry } from './worktree.ts'

type Card = Pick<Task, 'id' | 'board' | 'branch' | 'workspace'>

/** Checks the branches of several cards. Each repository is read only once. */
export class BranchChecker {
  readonly #home: string
  readonly #git: Git
  readonly #worktrees = new Map<string, Promise<readonly WorktreeEntry[] | null>>()

  constructor(home: string, git: Git = usersGit(home)) {
    this.#home = home
    this.#git = git
  }

  /**
   * The obstacles of a card's branch. The list is empty if the card already has its worktree. It is also empty if git
   * cannot read the repository, because the run then reports that error.
   */
  async obstacles(card: Card, holders: readonly BranchHolder[]): Promise<readonly Obstacle[]> {
    const pinned = pinnedBranch(card)
    if (pinned === null || card.workspace.base !== null) return []
    const { repo, branch } = pinned
    const all = await this.#entriesOf(repo)
    if (all === null) return []
    const root = await realpath(inHome.workspaces(this.#home, card.board)).catch(() => null)
    // An unfinished worktree of the card itself does not count, because the run makes this worktree again.
    const entries = all.filter(({ path }) => dirname(path) !== root || basename(path) !== card.id)
    const folders = new Set<string>(holders.map(({ id, owner }) => owner ?? id))
    const isShared = ({ path }: WorktreeEntry): boolean => dirname(path) === root && folders.has(basename(path))
    const away = entries.find((entry) => isShared(entry) && entry.branch !== HEADS + branch)
    if (away !== undefined) return [obstacle('worktree_switched', { branch, folder: away.path })]
    const isLost = ({ path }: WorktreeEntry): boolean => dirname(path) === root && !existsSync(path)
    const user = entries.find((entry) => entry.branch === HEADS + branch && !isShared(entry) && !isLost(entry))
    if (user !== undefined) return [obstacle('branch_checked_out', { branch, folder: user.path })]
    const clash = await this.#clash(repo, branch)
    return clash === null ? [] : [obstacle('branch_clash', { branch, other: clash })]
  }

  #entriesOf(repo: string): Promise<readonly WorktreeEntry[] | null> {
    const known = this.#worktrees.get(repo)
    if (known !== undefined) return known
    const entries = findRepository(this.#git, repo)
      .then((found) => allWorktrees(this.#git, found))
      .catch(() => null)
    this.#worktrees.set(repo, entries)
    return entries
  }

  /**
   * An existing branch whose name makes the new branch impossible. Branch names are paths: if `feat` exists, `feat/x`
   * cannot exist.
   */
  async #clash(repo: string, branch: string): Promise<string | null> {
    const place = await repositoryPlace(this.#git, repo)
    const parts = branch.split('/')
    const above = parts.slice(0, -1).map((_, at) => HEADS + parts.slice(0, at + 1).join('/'))
    for (const ref of above)
      if ((await this.#git.ask(place, 'show-ref', '--verify', '--quiet', ref)) !== null) return ref.slice(HEADS.length)
    const below = await this.#git.ask(place, 'for-each-ref', '--count=1', '--format=%(refname)', `${HEADS}${branch}/`)
    const [first = ''] = (below ?? '').split('\n')
    return first === '' ? null : first.slice(HEADS.length)
  }
}
