/**
 * Tracked and unignored files of a worktree as a commit under a hidden ref, byte for byte: no filter of the repository
 * changes a line ending on the way in or out. The worktree's own index is not touched, and no hook runs.
 */
import { existsSync } from 'node:fs'
import { lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readFile, writeFile } from '../util/guarded-files.ts'
import { BoardError } from '../core/errors.ts'
import { GitFault, usersGit } from './git.ts'
import type { Where } from './git.ts'
import { fileFault } from './managed-folder.ts'

const IDENTITY = {
  GIT_AUTHOR_NAME: 'muster',
  GIT_AUTHOR_EMAIL: 'muster@localhost',
  GIT_COMMITTER_NAME: 'muster',
  GIT_COMMITTER_EMAIL: 'muster@localhost',
}

/** In the words of the board: who asks for a copy, or for one back, is no run. */
async function git(where: Where, ...args: readonly string[]): Promise<Buffer> {
  try {
    return await usersGit().bytes(where, ...args)
  } catch (error) {
    if (!(error instanceof GitFault)) throw error
    const folder = typeof where === 'string' ? where : where.cwd
    const fault = fileFault(error.cause, folder)
    if (fault instanceof BoardError && fault.code === 'disk_full') throw fault
    const [words = ''] = error.message.split('\n')
    throw new BoardError('store_io', `git ${args[0]} failed in ${folder}: ${words.replace(/\.$/, '')}.`, {
      cause: error,
    })
  }
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
  const listed = await git(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  const entries = (await Promise.all([...new Set(lines(listed, '\0'))].map((path) => entryOf(folder, path)))).flat()
  const blobs = await writeBlobs(folder, entries)
  try {
    const own = { cwd: folder, env: { GIT_INDEX_FILE: index } }
    const info = entries.map(({ mode, path }) => `${mode} ${blobs.get(path)}\t${path}\0`).join('')
    await git({ ...own, stdin: bytesOf(info) }, 'update-index', '-z', '--add', '--index-info')
    const tree = (await git(own, 'write-tree')).toString().trim()
    const head = await usersGit().ask(folder, 'rev-parse', '--verify', '-q', 'HEAD')
    const parent = head === null ? [] : ['-p', head.trim()]
    const who = { cwd: folder, env: IDENTITY }
    const commit = await git(who, 'commit-tree', tree, ...parent, '-m', `Snapshot ${ref}`)
    await git(folder, 'update-ref', ref, commit.toString().trim(), '')
  } finally {
    await rm(index, { force: true })
  }
  const branch = await usersGit().ask(folder, 'symbolic-ref', '-q', '--short', 'HEAD')
  return {
    files: entries.length,
    bytes: entries.reduce((sum, { size }) => sum + size, 0),
    branch: branch?.trim() ?? null,
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
  const hashes = lines(
    await git({ cwd: folder, stdin: names }, 'hash-object', '-w', '--no-filters', '--stdin-paths'),
    '\n',
  )
  const blobs = new Map(plain.map(({ path }, at) => [path, hashes[at] ?? '']))
  for (const { mode, path } of entries.filter((entry) => !isPlain(entry))) {
    const full = inside(folder, path)
    const stdin = mode === '120000' ? await readlink(full, 'buffer') : await readFile(full)
    blobs.set(path, (await git({ cwd: folder, stdin }, 'hash-object', '-w', '--stdin')).toString().trim())
  }
  return blobs
}

/** So much at a time, so that a large tree is never in memory as a whole; what is larger comes alone. */
const BATCH_BYTES = 32 * 1024 * 1024
/** A line of facts stands before each content, and a line end after it. */
const FACTS_BYTES = 200

interface Stored {
  readonly mode: string
  readonly hash: string
  readonly path: string
  readonly bytes: number
}

/** What a commit holds, for `restoreFiles`; refused where its repository, or the ref, is not there any more. */
export async function filesOfCommit(repo: string, ref: string): Promise<readonly Stored[]> {
  if (!existsSync(repo))
    throw new BoardError('store_io', `The snapshot is in the repository ${repo}, which is not there: bring that back.`)
  return lines(await git(repo, 'ls-tree', '-r', '-l', '-z', ref), '\0').flatMap((line): Stored[] => {
    const [facts = '', path = ''] = splitAt(line, '\t')
    const [mode = '', , hash = '', size = ''] = facts.split(/ +/)
    return path === '' ? [] : [{ mode, hash, path, bytes: Number(size) + FACTS_BYTES }]
  })
}

export async function restoreFiles(repo: string, stored: readonly Stored[], to: string): Promise<void> {
  for (const { batch, bytes } of inBatches(stored)) {
    const stdin = batch.map(({ hash }) => `${hash}\n`).join('')
    const contents = blobsIn(await git({ cwd: repo, stdin, maxBytes: bytes }, 'cat-file', '--batch'))
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
