/**
 * Writes the files of a worktree as a git tree. The files are added to a copy of the index, so the worktree's own index
 * does not change. A crash leaves at most this copy, and the next call replaces it.
 */
import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyIndex } from './copy-index.ts'
import type { Git } from './git.ts'
import type { GitPlace } from './git-place.ts'
import { WorkspaceFault } from '../workspace-fault.ts'

export interface WorkTreeState {
  readonly tree: string
  /** The copy of the index, which matches the tree. The caller can replace the worktree's own index with this file. */
  readonly index: string
  /** Folders that are separate repositories and cannot be committed. */
  readonly repositories: readonly string[]
}

const INDEX = 'muster-index'

/**
 * Writes the files as a tree. If git cannot read a file, or a file has unresolved conflicts, rejects with a
 * `WorkspaceFault` that names the file.
 */
export async function readWorkTree(git: Git, place: GitPlace, name = INDEX): Promise<WorkTreeState> {
  const index = join(place.gitDir, name)
  await rm(`${index}.lock`, { force: true })
  await rm(index, { force: true })
  await copyIndex(place, index)
  const own = { place, env: { GIT_INDEX_FILE: index } }
  await showHidden(git, own)
  const listed = await git.bytes(own, 'status', '--porcelain', '-z', '--untracked-files=all', '--no-renames')
  const entries = latin(listed).map((line) => ({ state: line.slice(0, 2), path: line.slice('XY '.length) }))
  const conflicts = entries.filter(({ state }) => /U|AA|DD/.test(state)).map(({ path }) => path)
  if (conflicts.length > 0) throw new WorkspaceFault(`${named(conflicts)} has unresolved conflicts`)
  const repositories = entries.filter(({ path }) => path.endsWith('/')).map(({ path }) => path)
  const changed = entries.filter(({ path }) => !path.endsWith('/')).map(({ path }) => path)
  if (changed.length > 0)
    await git.run({ ...own, stdin: asInput(changed) }, 'update-index', '-z', '--add', '--remove', '--stdin')
  return { tree: (await git.run(own, 'write-tree')).trim(), index, repositories: repositories.map(utf8) }
}

/** File names are bytes of any encoding. Latin1 text keeps every byte. */
const latin = (output: Buffer): string[] =>
  output
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '')
const utf8 = (path: string): string => Buffer.from(path, 'latin1').toString()
const asInput = (paths: readonly string[]): Buffer => Buffer.from(`${paths.join('\0')}\0`, 'latin1')

const named = (paths: readonly string[]): string => {
  const [first = ''] = paths
  return paths.length === 1 ? utf8(first) : `${utf8(first)} and ${paths.length - 1} more`
}

/**
 * Clears the flags in the index that hide changes from git. The checks ran on the files on disk, so the commit must
 * contain exactly these files.
 */
async function showHidden(git: Git, own: { place: GitPlace; env: { GIT_INDEX_FILE: string } }): Promise<void> {
  const listed = latin(await git.bytes(own, 'ls-files', '-v', '-z'))
  const assumed = listed.filter((line) => /^[a-z] /.test(line)).map((line) => line.slice(2))
  const skipped: string[] = []
  for (const path of listed.filter((line) => /^S /i.test(line)).map((line) => line.slice(2)))
    if (
      (await lstat(Buffer.from(`${Buffer.from(own.place.workTree ?? '').toString('latin1')}/${path}`, 'latin1')).catch(
        () => null,
      )) !== null
    )
      skipped.push(path)
  for (const [flag, paths] of [
    ['--no-assume-unchanged', assumed],
    ['--no-skip-worktree', skipped],
  ] as const)
    if (paths.length > 0) await git.run({ ...own, stdin: asInput(paths) }, 'update-index', flag, '-z', '--stdin')
}
