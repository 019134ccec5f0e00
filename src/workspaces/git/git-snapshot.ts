/**
 * Stores a snapshot of a worktree as a commit under a hidden ref. The commit has all files that git does not ignore,
 * byte for byte, so filters of the repository do not change their line endings. The worktree's own index does not
 * change, and no hook runs.
 */
import { existsSync } from 'node:fs'
import { lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import { usersGit } from './git.ts'
import type { Git, Where } from './git.ts'
import type { GitPlace } from './git-place.ts'
import { fileFault } from '../managed-folder.ts'
import { placeOfWorktree, repositoryPlace } from './repository.ts'
import { WorkspaceFault } from '../workspace-fault.ts'

const IDENTITY = {
  GIT_AUTHOR_NAME: 'muster',
  GIT_AUTHOR_EMAIL: 'muster@localhost',
  GIT_COMMITTER_NAME: 'muster',
  GIT_COMMITTER_EMAIL: 'muster@localhost',
}

/** Converts errors of git to board errors, because callers outside a run expect board errors. */
const reporting =
  (git: Git) =>
  async (where: Where, ...args: readonly string[]): Promise<Buffer> => {
    const { workTree, gitDir } = 'place' in where ? where.place : where
    return inBoardTerms(() => git.bytes(where, ...args), { folder: workTree ?? gitDir, step: `git ${args[0]}` })
  }

async function inBoardTerms<T>(act: () => Promise<T>, { folder, step }: { folder: string; step: string }): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof WorkspaceFault)) throw error
    const fault = fileFault(error.cause, folder)
    if (fault instanceof BoardError && fault.code === 'disk_full') throw fault
    const [reason = ''] = error.message.split('\n')
    throw new BoardError('store_io', `${step} failed in ${folder}: ${reason.replace(/\.$/, '')}.`, { cause: error })
  }
}

/** File names are bytes of any encoding. Latin1 text keeps every byte. */
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')
const lines = (output: Buffer, end: string): string[] =>
  output
    .toString('latin1')
    .split(end)
    .filter((line) => line !== '')

interface TreeEntry {
  readonly mode: '100644' | '100755' | '120000'
  readonly path: string
  readonly size: number
}

interface Wanted {
  readonly home: string
  readonly folder: string
  readonly repo: string
  readonly index: string
  readonly ref: string
}

export async function snapshotCommit({ home, folder, repo, index, ref }: Wanted) {
  const users = usersGit(home)
  const git = reporting(users)
  const place = await placeOfWorktree(users, { repo, path: folder })
  if (place === null) throw new BoardError('store_io', `${repo} has no record of the worktree ${folder}.`)
  const listed = await git(place, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  const entries = (await Promise.all([...new Set(lines(listed, '\0'))].map((path) => entryOf(folder, path)))).flat()
  const blobs = await writeBlobs(git, place, entries)
  try {
    const own = { place, env: { GIT_INDEX_FILE: index } }
    const info = entries.map(({ mode, path }) => `${mode} ${blobs.get(path)}\t${path}\0`).join('')
    await git({ ...own, stdin: bytesOf(info) }, 'update-index', '-z', '--add', '--index-info')
    const tree = (await git(own, 'write-tree')).toString().trim()
    const head = await users.ask(place, 'rev-parse', '--verify', '-q', 'HEAD')
    const parent = head === null ? [] : ['-p', head.trim()]
    const commit = await git({ place, env: IDENTITY }, 'commit-tree', tree, ...parent, '-m', `Snapshot ${ref}`)
    await git(place, 'update-ref', ref, commit.toString().trim(), '')
  } finally {
    await rm(index, { force: true })
  }
  const branch = await users.ask(place, 'symbolic-ref', '-q', '--short', 'HEAD')
  return {
    files: entries.length,
    bytes: entries.reduce((sum, { size }) => sum + size, 0),
    branch: branch?.trim() ?? null,
  }
}

const inside = (folder: string, path: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), bytesOf(path)])

/** The tree entry of a file. This is empty for a tracked file that no longer exists. */
async function entryOf(folder: string, path: string): Promise<TreeEntry[]> {
  const found = await lstat(inside(folder, path)).catch(() => null)
  if (found === null) return []
  if (found.isSymbolicLink()) return [{ mode: '120000', path, size: found.size }]
  if (!found.isFile())
    throw new BoardError(
      'not_supported',
      `${path} in ${folder} is a separate repository, which a snapshot ref cannot hold.`,
    )
  return [{ mode: (found.mode & 0o111) === 0 ? '100644' : '100755', path, size: found.size }]
}

/**
 * Stores all files with plain names in one call. Links, and files with special characters in their names, are stored
 * one by one.
 */
async function writeBlobs(
  git: ReturnType<typeof reporting>,
  place: GitPlace,
  entries: readonly TreeEntry[],
): Promise<Map<string, string>> {
  const isPlain = ({ mode, path }: TreeEntry): boolean => mode !== '120000' && !/["\n\r\\]/.test(path)
  const plain = entries.filter(isPlain)
  const names = bytesOf(plain.map(({ path }) => `${path}\n`).join(''))
  const hashes = lines(await git({ place, stdin: names }, 'hash-object', '-w', '--no-filters', '--stdin-paths'), '\n')
  const blobs = new Map(plain.map(({ path }, at) => [path, hashes[at] ?? '']))
  for (const { mode, path } of entries.filter((entry) => !isPlain(entry))) {
    const full = inside(place.workTree ?? '', path)
    const stdin = mode === '120000' ? await readlink(full, 'buffer') : await readFile(full)
    blobs.set(path, (await git({ place, stdin }, 'hash-object', '-w', '--stdin')).toString().trim())
  }
  return blobs
}

/**
 * The size of one batch. Batches keep a large tree from filling the memory. A file that is larger than a batch gets its
 * own batch.
 */
const BATCH_BYTES = 32 * 1024 * 1024
/** The additional bytes for each file. Git prints a header line before the content, and a newline after it. */
const FACTS_BYTES = 200

interface Stored {
  readonly mode: string
  readonly hash: string
  readonly path: string
  readonly bytes: number
}

/** The files of a commit, for `restoreFiles`. Throws an error if the repository or the ref no longer exists. */
export async function filesOfCommit(home: string, repo: string, ref: string): Promise<StoredFiles> {
  if (!existsSync(repo))
    throw new BoardError(
      'store_io',
      `The snapshot is in the repository ${repo}, which does not exist: restore it first.`,
    )
  const users = usersGit(home)
  const git = reporting(users)
  const place = await inBoardTerms(() => repositoryPlace(users, repo), { folder: repo, step: 'Reading the snapshot' })
  const stored = lines(await git(place, 'ls-tree', '-r', '-l', '-z', ref), '\0').flatMap((line): Stored[] => {
    const [facts = '', path = ''] = splitAt(line, '\t')
    const [mode = '', , hash = '', size = ''] = facts.split(/ +/)
    return path === '' ? [] : [{ mode, hash, path, bytes: Number(size) + FACTS_BYTES }]
  })
  return { stored, read: (stdin, maxBytes) => git({ place, stdin, maxBytes }, 'cat-file', '--batch') }
}

interface StoredFiles {
  readonly stored: readonly Stored[]
  readonly read: (hashes: string, maxBytes: number) => Promise<Buffer>
}

export async function restoreFiles({ stored, read }: StoredFiles, to: string): Promise<void> {
  for (const { batch, bytes } of inBatches(stored)) {
    const contents = blobsIn(await read(batch.map(({ hash }) => `${hash}\n`).join(''), bytes))
    for (const [at, { mode, path }] of batch.entries()) await put(to, { mode, path, content: contents[at] })
  }
}

function inBatches(
  stored: readonly Stored[],
): readonly { readonly batch: readonly Stored[]; readonly bytes: number }[] {
  const batches: { batch: Stored[]; bytes: number }[] = []
  for (const one of stored) {
    const last = batches.at(-1)
    if (last === undefined || last.bytes + one.bytes > BATCH_BYTES) batches.push({ batch: [one], bytes: one.bytes })
    else {
      last.batch.push(one)
      last.bytes += one.bytes
    }
  }
  return batches
}

const splitAt = (text: string, mark: string): string[] => [
  text.slice(0, text.indexOf(mark)),
  text.slice(text.indexOf(mark) + 1),
]

/**
 * Splits git's output into the contents of files. For each file, git prints `<hash> blob <length>`, a newline, the
 * content and a newline.
 */
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
