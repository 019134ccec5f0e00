/**
 * Tracked and unignored files of a worktree as a commit under a hidden ref, byte for byte: no filter of the repository
 * changes a line ending on the way in or out. The worktree's own index is not touched, and no hook runs.
 */
import { lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BoardError } from '../core/errors.ts'
import { runProgram } from './run-program.ts'
import type { Ran } from './run-program.ts'

const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0']
const WHO = { NAME: 'muster', EMAIL: 'muster@localhost' }
const IDENTITY = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_AUTHOR_NAME: WHO.NAME,
  GIT_AUTHOR_EMAIL: WHO.EMAIL,
  GIT_COMMITTER_NAME: WHO.NAME,
  GIT_COMMITTER_EMAIL: WHO.EMAIL,
}

interface Git {
  readonly folder: string
  readonly stdin?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
}

const tryGit = ({ folder, stdin = '', env = {} }: Git, ...args: readonly string[]): Promise<Ran> =>
  runProgram('git', [...SAFE, ...args], { cwd: folder, stdin, env: { ...IDENTITY, ...env } })

async function git(how: Git, ...args: readonly string[]): Promise<Buffer> {
  const { code, stdout, stderr } = await tryGit(how, ...args)
  if (code === 0) return stdout
  throw new BoardError('store_io', `git ${args[0]} failed in ${how.folder}: ${stderr.split('\n')[0]}.`)
}

/** A name is bytes; as latin1 text every one of them survives, whatever its encoding. */
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')
const lines = (output: Buffer, end: string): string[] =>
  output
    .toString('latin1')
    .split(end)
    .filter((line) => line !== '')

interface Entry {
  readonly mode: '100644' | '100755' | '120000'
  readonly path: string
  readonly size: number
}

export async function snapshotCommit(want: { folder: string; index: string; ref: string }) {
  const { folder, index, ref } = want
  const at = { folder }
  const listed = await git(at, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  const entries = (await Promise.all([...new Set(lines(listed, '\0'))].map((path) => entryOf(folder, path)))).flat()
  const blobs = await writeBlobs(folder, entries)
  try {
    const own = { folder, env: { GIT_INDEX_FILE: index } }
    const info = entries.map(({ mode, path }) => `${mode} ${blobs.get(path)}\t${path}\0`).join('')
    await git({ ...own, stdin: bytesOf(info) }, 'update-index', '-z', '--add', '--index-info')
    const tree = (await git(own, 'write-tree')).toString().trim()
    const head = (await tryGit(at, 'rev-parse', '--verify', '-q', 'HEAD')).stdout.toString().trim()
    const parent = head === '' ? [] : ['-p', head]
    const commit = await git(at, 'commit-tree', tree, ...parent, '-m', `Snapshot ${ref}`)
    await git(at, 'update-ref', ref, commit.toString().trim(), '')
  } finally {
    await rm(index, { force: true })
  }
  const branch = (await tryGit(at, 'symbolic-ref', '-q', '--short', 'HEAD')).stdout.toString().trim()
  return {
    files: entries.length,
    bytes: entries.reduce((sum, { size }) => sum + size, 0),
    branch: branch === '' ? null : branch,
  }
}

const inside = (folder: string, path: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), bytesOf(path)])

/** What git knows of and is not there any more is left out: that is how it was. */
async function entryOf(folder: string, path: string): Promise<Entry[]> {
  const found = await lstat(inside(folder, path)).catch(() => null)
  if (found === null) return []
  if (found.isSymbolicLink()) return [{ mode: '120000', path, size: found.size }]
  if (!found.isFile())
    throw new BoardError('not_supported', `${path} in ${folder} is a repository of its own: no ref can hold it.`)
  return [{ mode: (found.mode & 0o111) === 0 ? '100644' : '100755', path, size: found.size }]
}

/** All at once where their names allow it; the rest one by one. */
async function writeBlobs(folder: string, entries: readonly Entry[]): Promise<Map<string, string>> {
  const isPlain = ({ mode, path }: Entry): boolean => mode !== '120000' && !/["\n\r\\]/.test(path)
  const plain = entries.filter(isPlain)
  const names = bytesOf(plain.map(({ path }) => `${path}\n`).join(''))
  const hashes = lines(await git({ folder, stdin: names }, 'hash-object', '-w', '--no-filters', '--stdin-paths'), '\n')
  const blobs = new Map(plain.map(({ path }, at) => [path, hashes[at] ?? '']))
  for (const { mode, path } of entries.filter((entry) => !isPlain(entry))) {
    const full = inside(folder, path)
    const stdin = mode === '120000' ? await readlink(full, 'buffer') : await readFile(full)
    blobs.set(path, (await git({ folder, stdin }, 'hash-object', '-w', '--stdin')).toString().trim())
  }
  return blobs
}

/** So many at a time, so that a large tree is never in memory as a whole. */
const BATCH = 100

export async function restoreCommit({ repo, ref, to }: { repo: string; ref: string; to: string }): Promise<void> {
  const entries = lines(await git({ folder: repo }, 'ls-tree', '-r', '-z', ref), '\0').flatMap((line) => {
    const [facts = '', path = ''] = splitAt(line, '\t')
    const [mode = '', , hash = ''] = facts.split(' ')
    return path === '' ? [] : [{ mode, hash, path }]
  })
  for (let from = 0; from < entries.length; from += BATCH) {
    const some = entries.slice(from, from + BATCH)
    const stdin = some.map(({ hash }) => `${hash}\n`).join('')
    const contents = blobsIn(await git({ folder: repo, stdin }, 'cat-file', '--batch'))
    for (const [at, { mode, path }] of some.entries()) await put(to, { mode, path, content: contents[at] })
  }
}

const splitAt = (text: string, mark: string): string[] => [
  text.slice(0, text.indexOf(mark)),
  text.slice(text.indexOf(mark) + 1),
]

/** `<hash> blob <length>`, a line end, the content, a line end, and so on. */
function blobsIn(output: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at)
    const length = Number(output.subarray(at, end).toString().split(' ')[2])
    found.push(output.subarray(end + 1, end + 1 + length))
    at = end + length + 2
  }
  return found
}

async function put(to: string, file: { mode: string; path: string; content: Buffer | undefined }): Promise<void> {
  const { mode, path, content = Buffer.alloc(0) } = file
  const full = inside(to, path)
  await mkdir(bytesOf(dirname(full.toString('latin1'))), { recursive: true, mode: 0o700 })
  if (mode === '120000') await symlink(content, full)
  else await writeFile(full, content, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 })
}

/** Why a worktree must stay; null when nothing of it is lost with it: all committed, and its base has it. */
export async function worktreeHolds(folder: string, repo: string | null): Promise<string | null> {
  const status = await tryGit({ folder }, 'status', '--porcelain', '-z', '--untracked-files=all')
  if (status.code !== 0) return `git cannot say whether it holds changes: ${status.stderr.split('\n')[0]}`
  const changed = lines(status.stdout, '\0').length
  if (changed > 0) return `${changed} ${changed === 1 ? 'file is' : 'files are'} not committed`
  const base = await baseOf(folder, repo)
  if (base === null) return 'nothing says what its branch is to land on'
  const landed = await tryGit({ folder }, 'merge-base', '--is-ancestor', 'HEAD', base)
  return landed.code === 0 ? null : `its commits have not landed on ${base}`
}

/** Beside git's own notes on the worktree: what it was made from. */
const MADE = 'muster-ready.json'

/** The branch it was made from, else what the repository itself has checked out. */
async function baseOf(folder: string, repo: string | null): Promise<string | null> {
  const own = (await tryGit({ folder }, 'rev-parse', '--absolute-git-dir')).stdout.toString().trim()
  const made = await readFile(join(own, MADE), 'utf8').catch(() => '{}')
  const { baseBranch } = JSON.parse(made) as { baseBranch?: string | null }
  if (typeof baseBranch === 'string') return `refs/heads/${baseBranch}`
  if (repo === null) return null
  const head = await tryGit({ folder: repo }, 'rev-parse', '--verify', '-q', 'HEAD')
  return head.code === 0 ? head.stdout.toString().trim() : null
}

/** Forgets worktrees whose folder is gone; their branches stay. */
export async function forgetWorktrees(repo: string): Promise<void> {
  await tryGit({ folder: repo }, 'worktree', 'prune')
}
