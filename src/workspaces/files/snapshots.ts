/**
 * Snapshots are copies of a workspace, made before Muster removes the workspace. They are in
 * `boards/<board>/snapshots/<card>/`. A snapshot is an archive of files, or a hidden ref in the repository of a
 * worktree. A JSON file describes the snapshot.
 */
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BoardError, diskFull } from '../../core/errors.ts'
import { reportsFullDisk } from '../../util/full-disk.ts'
import { open } from '../../util/guarded-files.ts'
import { readIfExists } from '../../util/replace-file.ts'
import { filesOfCommit, restoreFiles, snapshotCommit } from '../git/git-snapshot.ts'
import { enterFolder, fileFault, findFolder, syncFolder } from '../managed-folder.ts'
import { runProgram } from '../../processes/run-program.ts'
import type { CardLocation } from '../workspace.ts'

export const ARCHIVE_BYTES = 100 * 1024 * 1024

export interface Snapshot {
  /** The id of the snapshot. Sorting by id is sorting by age. */
  readonly id: string
  readonly kind: 'archive' | 'git'
  readonly takenAt: number
  readonly files: number
  /** The size of the copied files. */
  readonly bytes: number
  /** The path of the archive. */
  readonly path: string | null
  /** The repository that contains the ref. */
  readonly repo: string | null
  readonly ref: string | null
  /** The branch that the worktree had checked out. */
  readonly branch: string | null
}

/** The place of a snapshot, as briefings and events print it. */
export const snapshotPlace = ({ path, repo, ref }: Snapshot): string => path ?? `${ref} in ${repo}`

const stepsTo = ({ board, task }: CardLocation): [string, ...string[]] => ['boards', board, 'snapshots', task]

/** The name of an archive. The id in it has the time of the snapshot and a random part. */
const ARCHIVE = /^\d{8}T\d{9}Z-[0-9a-f]{4}\.tar\.gz$/
const ID = /^\d{8}T\d{9}Z-[0-9a-f]{4}$/

function newId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:.]/g, '')
  return `${stamp}-${randomBytes(2).toString('hex')}`
}

export interface Measured extends Pick<Snapshot, 'files' | 'bytes'> {
  /** The files to copy. If this is absent, all files of the folder are copied. Names are bytes, kept as latin1 text. */
  readonly paths?: readonly string[]
}

export async function archiveFolder(
  place: CardLocation,
  folder: string,
  { files, bytes, paths }: Measured,
): Promise<Snapshot> {
  const now = new Date()
  const id = newId(now)
  const keep = await enterFolder(place.home, ...stepsTo(place))
  const path = join(keep, `${id}.tar.gz`)
  const part = join(keep, `.part-${id}`)
  try {
    const source = paths === undefined ? ['.'] : ['--null', '-T', '-']
    const stdin = Buffer.from((paths ?? []).map((path) => `./${path}\0`).join(''), 'latin1')
    const { code, stderr } = await runProgram('tar', ['-czf', part, '-C', folder, ...source], { cwd: keep, stdin })
    if (code !== 0) throw tarFault(stderr, { disk: keep, what: `${folder} could not be archived` })
    await rename(part, path)
    const made = { id, kind: 'archive', takenAt: now.getTime(), files, bytes, path, repo: null, ref: null } as const
    return await describe(keep, { ...made, branch: null })
  } finally {
    await rm(part, { force: true })
  }
}

export async function snapshotWorktree(place: CardLocation, folder: string, repo: string): Promise<Snapshot> {
  const now = new Date()
  const id = newId(now)
  const keep = await enterFolder(place.home, ...stepsTo(place))
  const ref = `refs/muster/snapshots/${place.task}/${id}`
  const { files, bytes, branch } = await snapshotCommit({
    home: place.home,
    folder,
    repo,
    index: join(keep, `.index-${id}`),
    ref,
  })
  return describe(keep, { id, kind: 'git', takenAt: now.getTime(), files, bytes, path: null, repo, ref, branch })
}

/** Writes the description of a snapshot last, in one step. So an archive without a description is always unfinished. */
async function describe(keep: string, snapshot: Snapshot): Promise<Snapshot> {
  const part = join(keep, `.part-${snapshot.id}.json`)
  try {
    if (snapshot.path !== null) await syncFile(snapshot.path)
    const handle = await open(part, 'wx', 0o600)
    await handle.writeFile(`${JSON.stringify(snapshot, null, 2)}\n`)
    await handle.sync()
    await handle.close()
    await rename(part, join(keep, `${snapshot.id}.json`))
    await syncFolder(keep)
    return snapshot
  } catch (error) {
    throw fileFault(error, keep)
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export interface Archive {
  readonly path: string
  /** The JSON file that describes this archive. */
  readonly described: string
  readonly takenAt: number
  /** Whether this archive is the newest snapshot of the card. Refs count as snapshots too. */
  readonly isNewest: boolean
}

/**
 * The archives of a card. Their paths are built from their ids, because the paths in the descriptions are not trusted.
 */
export async function archivesOf(place: CardLocation): Promise<readonly Archive[]> {
  const keep = await findFolder(place.home, ...stepsTo(place))
  const all = keep === null ? [] : await listIn(keep)
  return all.flatMap(({ id, kind, takenAt }): Archive[] =>
    keep === null || kind !== 'archive' || !ID.test(id)
      ? []
      : [
          {
            path: join(keep, `${id}.tar.gz`),
            described: join(keep, `${id}.json`),
            takenAt,
            isNewest: id === all.at(-1)?.id,
          },
        ],
  )
}

/**
 * Removes the remains of interrupted snapshots: unfinished archives, and archives without a description. Call this
 * function only when no snapshot of the card is in progress.
 */
export async function clearUnfinished(place: CardLocation, { before = Infinity } = {}): Promise<readonly string[]> {
  const keep = await findFolder(place.home, ...stepsTo(place)).catch(() => null)
  if (keep === null) return []
  const names = await readdir(keep)
  const described = new Set(names)
  const isLeft = (name: string): boolean =>
    /^\.(part|index)-/.test(name) || (ARCHIVE.test(name) && !described.has(name.replace(/\.tar\.gz$/, '.json')))
  const cleared: string[] = []
  for (const name of names.filter(isLeft)) {
    const path = join(keep, name)
    const found = await lstat(path).catch(() => null)
    if (found === null || !found.isFile() || found.mtimeMs > before) continue
    await rm(path, { force: true })
    cleared.push(path)
  }
  return cleared
}

/** The snapshots of a card, oldest first. */
export async function listSnapshots(place: CardLocation): Promise<readonly Snapshot[]> {
  const keep = await findFolder(place.home, ...stepsTo(place))
  return keep === null ? [] : listIn(keep)
}

async function listIn(keep: string): Promise<readonly Snapshot[]> {
  const names = (await readdir(keep)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort()
  const texts = await Promise.all(names.map((name) => readIfExists(join(keep, name))))
  return texts.flatMap((text) => (text === null ? [] : (readSnapshot(text) ?? [])))
}

/** Parses the description of a snapshot. Returns null if the file is incomplete, or if Muster did not write it. */
function readSnapshot(text: string): Snapshot | null {
  try {
    const read = JSON.parse(text) as Snapshot
    const isWhole = read.kind === 'git' ? read.repo !== null && read.ref !== null : typeof read.path === 'string'
    return typeof read.id === 'string' && isWhole ? read : null
  } catch {
    return null
  }
}

/** Restores the files of a snapshot. The target folder must be missing or empty, so that no file is overwritten. */
export async function restoreSnapshot(home: string, snapshot: Snapshot, to: string): Promise<void> {
  if (snapshot.kind === 'git') {
    const files = await filesOfCommit(home, snapshot.repo ?? '', snapshot.ref ?? '')
    await requireEmpty(to)
    await restoreFiles(files, to)
    return
  }
  await requireEmpty(to)
  const { code, stderr } = await runProgram('tar', ['-xzof', snapshot.path ?? '', '-C', to], { cwd: to })
  if (code !== 0) throw tarFault(stderr, { disk: to, what: `${snapshot.path} could not be unpacked` })
}

const tarFault = (stderr: string, { disk, what }: { disk: string; what: string }): BoardError =>
  reportsFullDisk(stderr)
    ? diskFull(disk, { details: { path: disk } })
    : new BoardError('store_io', `${what}: ${stderr.split('\n')[0]}.`)

async function requireEmpty(to: string): Promise<void> {
  try {
    await mkdir(to, { recursive: true, mode: 0o700 })
    if (!(await lstat(to)).isDirectory() || (await readdir(to)).length > 0)
      throw new BoardError('invalid_input', `${to} is not empty: name a folder that does not exist yet.`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new BoardError('invalid_input', `${to} is not a folder: name one that does not exist yet.`, {
        cause: error,
      })
    throw fileFault(error, to)
  }
}
