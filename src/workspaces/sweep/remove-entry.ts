/** Removes entries of folders that Muster manages. */
import { randomBytes } from 'node:crypto'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Matches the name of an entry that is being removed, and captures its original name. */
const ASIDE = /^\.trash-(.+)-[0-9a-f]{8}$/

/** The original name of an entry that `moveAside` renamed. This is null for any other entry. */
export const trashedName = (name: string): string | null => ASIDE.exec(name)?.[1] ?? null

/** Renames an entry in one step before the entry is removed. The removal takes longer and may be interrupted. */
export async function moveAside(folder: string, name: string): Promise<string> {
  const aside = join(folder, `.trash-${name}-${randomBytes(4).toString('hex')}`)
  await rename(join(folder, name), aside)
  return aside
}

/** Removes an entry. If the entry is a link, its target stays. */
export const removeEntry = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

/** The number of bytes in a block that `stat` counts. This number is the same on every disk. */
const BLOCK = 512

/**
 * The bytes that a file or folder uses on disk. 0 means that the path does not exist. Links are not followed. A log
 * with a hole uses fewer bytes than its length.
 */
export async function diskUsage(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return 0
  if (!found.isDirectory()) return found.blocks === 0 ? found.size : Math.min(found.size, found.blocks * BLOCK)
  const names = await readdir(path).catch(() => [])
  let bytes = 0
  for (const name of names) bytes += await diskUsage(join(path, name))
  return bytes
}
