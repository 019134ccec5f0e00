/** Finds the commit from which a worktree starts. If the base is a remote branch, git fetches the branch first. */
import { join } from 'node:path'
import { WorkspaceFault, faultReason } from '../workspace-fault.ts'
import type { Git } from './git.ts'
import type { Repository } from './repository.ts'

const HEADS = 'refs/heads/'

/** The timeout of a fetch. A remote that does not answer must not keep the card from starting. */
const FETCH_MS = 60_000

interface Start {
  readonly commit: string
  /** The branch on which the work lands by default. Null means that a person must name a branch. */
  readonly branch: string | null
  /** Notes for the user, for example that the remote branch may be out of date. */
  readonly notes: readonly string[]
}

export async function findStart(git: Git, repository: Repository, base: string | null): Promise<Start> {
  if (base === null) return { commit: repository.head, branch: repository.branch, notes: [] }
  const { place, path } = repository
  const remote = await remoteBranch(git, repository, base)
  const failure = remote === null ? null : await fetchFailure(git, repository, remote)
  const found = await git.ask(place, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`)
  if (found === null)
    throw new WorkspaceFault(
      `Base ${base} does not exist in ${path}${failure === null ? '' : `, and cannot be fetched (${failure})`}. Give the card another base.`,
    )
  const commit = found.trim()
  const notes = failure === null ? [] : [`not refreshed: ${base} cannot be fetched (${failure})`]
  return { commit, branch: await branchFor(git, repository, { base, commit, remote }), notes }
}

interface RemoteBranch {
  readonly remote: string
  readonly branch: string
}

/**
 * Splits a name like `origin/main` if `origin` is a remote. Returns null if a local branch has this name, because git
 * prefers the local branch too.
 */
async function remoteBranch(git: Git, { place, common }: Repository, base: string): Promise<RemoteBranch | null> {
  if ((await git.ask(place, 'show-ref', '--verify', '--quiet', HEADS + base)) !== null) return null
  const settings = await git.settings(join(common, 'config'))
  const remotes = settings.flatMap(({ name }) => /^remote\.(.*)\.url$/s.exec(name)?.[1] ?? [])
  const remote = remotes.toSorted((a, b) => b.length - a.length).find((one) => base.startsWith(`${one}/`))
  return remote === undefined ? null : { remote, branch: base.slice(remote.length + 1) }
}

/** Fetches one branch. Returns the reason if git fails. Throws any other error, for example because the run ends. */
async function fetchFailure(git: Git, { place }: Repository, { remote, branch }: RemoteBranch): Promise<string | null> {
  const refspec = `+${HEADS}${branch}:refs/remotes/${remote}/${branch}`
  const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
  try {
    await git.run({ place, timeoutMs: FETCH_MS, wholeGroup: true }, 'fetch', ...flags, remote, refspec)
    return null
  } catch (error) {
    if (!(error instanceof WorkspaceFault)) throw error
    return faultReason(error)
  }
}

/**
 * The branch on which the work lands: the local branch itself, or the local branch with the name of the remote branch.
 * Null means that this branch does not contain the start commit. In that case, a landing would also add the commits
 * between the branch and the start commit.
 */
async function branchFor(
  git: Git,
  { place }: Repository,
  { base, commit, remote }: { readonly base: string; readonly commit: string; readonly remote: RemoteBranch | null },
): Promise<string | null> {
  const local = remote?.branch ?? base
  if ((await git.ask(place, 'show-ref', '--verify', '--quiet', HEADS + local)) === null) return null
  const hasCommit = (await git.ask(place, 'merge-base', '--is-ancestor', commit, HEADS + local)) !== null
  return hasCommit ? local : null
}
