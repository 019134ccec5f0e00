/**
 * Measures a folder, and checks whether removing the folder would lose any file. Links are not followed. Names are
 * bytes, because some are not valid UTF-8.
 */
import { createHash } from 'node:crypto'
// oxlint-disable-next-line muster/powers -- only the file helper runs it
import { createReadStream, existsSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import type { Attachment } from '../../core/attachment.ts'

export interface FolderContents {
  readonly files: number
  /** The sum of the file lengths. Holes in a file count too, because an archive contains them. */
  readonly bytes: number
  /** Whether every file of the folder is also an attachment of the card. */
  readonly declared: boolean
  /**
   * A folder or file that cannot be read, because of its permissions or the length of its path. Null means that
   * everything can be read.
   */
  readonly unreadable: string | null
}

export type Declared = readonly Pick<Attachment, 'size' | 'sha256'>[]

/** The maximum number of files to archive. Archiving more files would take too long. */
const MOST_FILES = 200_000

const SLASH = Buffer.from('/')

/** Measures a folder. Returns null if the folder has more than MOST_FILES files. */
export async function examineFolder(folder: string, declared: Declared): Promise<FolderContents | null> {
  let [files, bytes, isDeclared] = [0, 0, true]
  let unreadable: string | null = null
  const waiting = [Buffer.from(folder)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entries = await readdir(path, { withFileTypes: true, encoding: 'buffer' }).catch(ifGone([]))
    // If the entries of a folder cannot be listed, the folder counts as unreadable.
    if (entries === null) unreadable ??= path.toString()
    for (const entry of entries ?? []) {
      const inside = Buffer.concat([path, SLASH, entry.name])
      if (entry.isDirectory()) {
        waiting.push(inside)
        continue
      }
      files += 1
      if (files > MOST_FILES) return null
      const found = await lstat(inside).catch(() => null)
      if (found === null && existsSync(path)) unreadable ??= inside.toString()
      bytes += found?.size ?? 0
      isDeclared &&= found !== null && found.isFile() && (await isAttached(inside, found.size, declared))
    }
  }
  return { files, bytes, declared: isDeclared && unreadable === null, unreadable }
}

/** A folder that another process removes during the measurement counts as empty. */
const ifGone =
  <T>(nothing: T) =>
  (error: unknown): T | null =>
    (error as NodeJS.ErrnoException).code === 'ENOENT' ? nothing : null

async function isAttached(path: Buffer, size: number, declared: Declared): Promise<boolean> {
  const alike = declared.filter((file) => file.size === size && file.sha256 !== null)
  if (alike.length === 0) return false
  const hash = createHash('sha256')
  try {
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  } catch {
    return false
  }
  const digest = hash.digest('hex')
  return alike.some(({ sha256 }) => sha256 === digest)
}
