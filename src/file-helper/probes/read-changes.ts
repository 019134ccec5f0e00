/**
 * Lists the files of a workspace that changed since a time, with the text of small files. The judge of a goal reads
 * this list; in a worktree, it reads the diff instead.
 */
import { constants } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { open } from '../../util/guarded-files.ts'
import { filesIn, inside } from './content-hash.ts'
import type { Content } from './content-hash.ts'

export interface ChangesRequest extends Content {
  /** Only files that changed after this time. Null means all files. */
  readonly since: number | null
}

interface Found {
  readonly path: string
  readonly size: number
  readonly changedAt: number
}

const FILES_MOST = 100_000
const LISTED = 200
const FILE_BYTES = 16 * 1024
const TEXT_BYTES = 64 * 1024
/** How much the clocks of the store and the file system may differ. */
const SLACK_MS = 60_000

export async function readChanges({
  since,
  ...content
}: ChangesRequest): Promise<{ readonly files: string | null; readonly content: string | null }> {
  const paths = await filesIn(content, FILES_MOST)
  if (paths === null) return { files: null, content: null }
  const found: Found[] = []
  for (const path of paths) {
    const file = await describe(content.folder, path)
    if (file !== null && (since === null || file.changedAt >= since - SLACK_MS)) found.push(file)
  }
  const newest = found.toSorted((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? -1 : 1))
  const listed = newest.slice(0, LISTED).map(({ path, size }) => `${shown(path)} (${size} bytes)`)
  const more = newest.length > LISTED ? [`and ${newest.length - LISTED} more`] : []
  return { files: [...listed, ...more].join('\n'), content: await textOf(content.folder, newest) }
}

/** Only regular files are read, because a link may lead out of the workspace. */
async function describe(folder: string, path: string): Promise<Found | null> {
  try {
    const stat = await lstat(inside(folder, path))
    return stat.isFile() ? { path, size: stat.size, changedAt: stat.mtimeMs } : null
  } catch {
    return null
  }
}

async function textOf(folder: string, files: readonly Found[]): Promise<string | null> {
  const parts: string[] = []
  let left = TEXT_BYTES
  for (const { path, size } of files) {
    if (left <= 0) break
    const text = await endOf(inside(folder, path), { size, most: Math.min(left, FILE_BYTES) })
    if (text === null) continue
    left -= text.length
    parts.push(`=== ${shown(path)}\n${text}`)
  }
  return parts.length === 0 ? null : parts.join('\n\n')
}

/**
 * Returns the end of a text file, or null for a binary file. The agent may have replaced the file with a pipe or a
 * link.
 */
async function endOf(
  path: Buffer,
  { size, most }: { readonly size: number; readonly most: number },
): Promise<string | null> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      if (!(await handle.stat()).isFile()) return null
      const from = Math.max(0, size - most)
      const bytes = Buffer.alloc(Math.min(size, most))
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from)
      const read = bytes.subarray(0, bytesRead)
      return read.includes(0) ? null : `${from > 0 ? '[…]\n' : ''}${read.toString('utf8')}`
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}

/** File names are bytes, kept as latin1 text. */
const shown = (path: string): string => Buffer.from(path, 'latin1').toString('utf8')
