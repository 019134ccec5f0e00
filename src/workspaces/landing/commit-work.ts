/**
 * Commits the files of a worktree when its work is finished. The function writes a tree with a copy of the index, makes
 * the commit, moves the branch, and then replaces the index. The branch moves only if no other process has moved it.
 * After a crash at any point, a second call has the same result: if the tree is already committed, the second call only
 * replaces the index. Never call this function while the agent is alive.
 */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import type { Changes } from '../../core/run.ts'
import { readFile } from '../../util/guarded-files.ts'
import { GitFault } from '../git/git-process.ts'
import type { Git } from '../git/git.ts'
import type { GitPlace } from '../git/git-place.ts'
import { identityOf } from '../git/git-identity.ts'
import { WorkspaceFault, faultReasons } from '../workspace-fault.ts'
import { readWorkTree } from '../git/work-tree-state.ts'
import { changedSubmodules } from '../git/worktree-changes.ts'

export interface Work {
  readonly place: GitPlace
  /** The card's branch. */
  readonly branch: string
  /** The commit from which the run started. */
  readonly from: string
  readonly message: string
  /**
   * The actor that commits. With `agent` and `none`, Muster commits nothing, and only the agent's own commits count.
   */
  readonly commit: 'board' | 'agent' | 'none'
}

export async function commitWork(git: Git, work: Work): Promise<Changes> {
  const { place, from } = work
  try {
    const { head, commit, note } = work.commit === 'board' ? await commitAll(git, work) : await keepHead(git, place)
    return { ...(await countChanges(git, place, from, head)), commit, note }
  } catch (error) {
    if (!(error instanceof WorkspaceFault)) throw error
    const counted = await countChanges(git, place, from, 'HEAD').catch(() => NOTHING)
    return { ...counted, commit: null, note: `The work was not committed: ${faultReasons(error)}` }
  }
}

interface Committed {
  readonly head: string
  readonly commit: string | null
  readonly note: string | null
}

async function keepHead(git: Git, place: GitPlace): Promise<Committed> {
  return { head: await revision(git, place, 'HEAD'), commit: null, note: null }
}

const revision = async (git: Git, place: GitPlace, name: string): Promise<string> =>
  (await git.run(place, 'rev-parse', '--verify', '--quiet', name)).trim()

async function commitAll(git: Git, { place, branch, message, from }: Work): Promise<Committed> {
  const ref = `refs/heads/${branch}`
  const on = (await git.ask(place, 'symbolic-ref', '--quiet', 'HEAD'))?.trim() ?? 'no branch'
  if (on !== ref) throw new WorkspaceFault(`the worktree is on ${on.replace(/^refs\/heads\//, '')}, not on ${branch}`)
  const head = await revision(git, place, 'HEAD')
  const state = await readWorkTree(git, place)
  const merged = await mergeHeads(place)
  const isCommitted = state.tree === (await revision(git, place, `${head}^{tree}`)) && merged.length === 0
  const commit = isCommitted
    ? null
    : await makeCommit(git, place, { tree: state.tree, parents: [head, ...merged], message })
  if (commit !== null) await moveBranch(git, place, { ref, commit, head })
  // The processes of the run are gone, so a lock on the index is stale.
  await rm(join(place.gitDir, 'index.lock'), { force: true })
  await rename(state.index, join(place.gitDir, 'index'))
  for (const name of UNFINISHED) await rm(join(place.gitDir, name), { force: true })
  const notes = [...nestedNotes(state.repositories), ...(await lookForFaults(git, place, { from, to: state.tree }))]
  return {
    head: commit ?? head,
    commit: commit ?? (await madeBefore(git, place, { head, message })),
    note: notes.length === 0 ? null : notes.join('; '),
  }
}

/** The files in which git records an unfinished merge, cherry-pick or revert. */
const UNFINISHED = [
  'MERGE_HEAD',
  'MERGE_MSG',
  'MERGE_MODE',
  'AUTO_MERGE',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'SQUASH_MSG',
]

/**
 * Moves the branch to the new commit. A lock on the branch is removed first: the processes of the run are gone, so the
 * lock is left from a killed git process.
 */
async function moveBranch(
  git: Git,
  place: GitPlace,
  { ref, commit, head }: { ref: string; commit: string; head: string },
) {
  const move = () => git.run(place, 'update-ref', '-m', 'muster: commit finished work', ref, commit, head)
  try {
    await move()
  } catch (error) {
    const lock = join(place.common, `${ref}.lock`)
    if (!(error instanceof GitFault) || !existsSync(lock)) throw error
    await rm(lock, { force: true })
    await move()
  }
}

const nestedNotes = (paths: readonly string[]): readonly string[] =>
  paths.length === 0
    ? []
    : [
        `${paths.join(', ')} ${paths.length === 1 ? 'is a separate repository and was' : 'are separate repositories and were'} not committed`,
      ]

interface Range {
  readonly from: string
  readonly to: string
}

/**
 * Returns notes about conflict markers and changed submodules. The commit already exists, so an error of git becomes a
 * note too.
 */
async function lookForFaults(git: Git, place: GitPlace, range: Range): Promise<readonly string[]> {
  try {
    const changed = await changedSubmodules(git, place)
    const notes = changed.map((path) => `the changes in submodule ${path} were not committed`)
    return [...notes, ...(await markerNotes(git, place, range))]
  } catch (error) {
    if (!(error instanceof WorkspaceFault)) throw error
    return [`submodules and conflict markers were not checked: ${faultReasons(error)}`]
  }
}

/** Settings that let git report only conflict markers, and no white space errors. */
const MARKERS_ONLY = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.whitespace',
  GIT_CONFIG_VALUE_0: '-blank-at-eol,-blank-at-eof,-space-before-tab,-indent-with-non-tab,-tab-in-indent',
}

/**
 * Notes about conflict markers. Files with such markers are committed too, because some are intended, for instance in a
 * test of a merge tool.
 */
async function markerNotes(git: Git, place: GitPlace, { from, to }: Range): Promise<readonly string[]> {
  const quiet = ['--no-ext-diff', '--no-textconv', '--no-color']
  const printed = await git.run({ place, env: MARKERS_ONLY }, 'diff', '--check', ...quiet, from, to).catch(foundBy)
  const files = [...printed.matchAll(/^(.*):\d+: leftover conflict marker$/gm)].map(([, file = '']) => file)
  const [first, ...more] = new Set(files)
  if (first === undefined) return []
  return [`${first}${more.length === 0 ? ' has' : ` and ${more.length} more have`} conflict markers`]
}

/** The output of git about conflict markers. Git exits with code 2 if it found any. */
function foundBy(error: unknown): string {
  if (error instanceof GitFault && error.exitCode === 2) return error.stdout.toString()
  throw error
}

/** The other parents of a merge that the agent started and did not commit. */
async function mergeHeads({ gitDir }: GitPlace): Promise<readonly string[]> {
  if (!existsSync(join(gitDir, 'MERGE_HEAD'))) return []
  return (await readFile(join(gitDir, 'MERGE_HEAD'), 'utf8'))
    .split('\n')
    .filter((line) => /^[0-9a-f]{40,64}$/.test(line))
}

interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  /** The original author, if the commit is a copy. The default is the user. */
  readonly author?: { readonly name: string; readonly email: string; readonly date: string }
}

export async function makeCommit(git: Git, place: GitPlace, request: NewCommit): Promise<string> {
  const { tree, parents, message, author } = request
  const of = parents.flatMap((parent) => ['-p', parent])
  const env = { ...(await identityOf(git, place)), ...(author === undefined ? {} : authorOf(author)) }
  return (await git.run({ place, env, stdin: message }, 'commit-tree', tree, ...of, '-F', '-')).trim()
}

const authorOf = ({ name, email, date }: NonNullable<NewCommit['author']>): Environment => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_AUTHOR_DATE: `@${date}`,
})

/** The commit that an earlier call for the same run made before it crashed. */
async function madeBefore(git: Git, place: GitPlace, { head, message }: { head: string; message: string }) {
  const found = await git.run(place, 'log', '-1', '--format=%B', head)
  return found.trim() === message.trim() ? head : null
}

const NOTHING = { files: 0, added: 0, removed: 0 }

/** Counts the files and lines that differ between two commits. A binary file has no lines. */
async function countChanges(git: Git, place: GitPlace, from: string, to: string) {
  const counted = await git.run(
    place,
    'diff',
    '--numstat',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    from,
    to,
  )
  const lines = counted.split('\0').filter((line) => line !== '')
  const sum = (at: number): number => lines.reduce((all, line) => all + (Number(line.split('\t')[at]) || 0), 0)
  return { files: lines.length, added: sum(0), removed: sum(1) }
}
