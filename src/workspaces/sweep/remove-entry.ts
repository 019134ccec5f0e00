/** Removes entries of folders that Muster manages. */
import { randomBytes } from 'node:crypto'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** An entry that is being removed, and its original name. */
const ASIDE = /^\.trash-(.+)-[0-9a-f]{8}$/

/** The name of an entry before `moveAside`; null for any other entry. */
export const trashedName = (name: string): string | null => ASIDE.exec(name)?.[1] ?? null

/** Renames an entry in one step before it is removed: the removal takes longer and may be interrupted. */
export async function moveAside(folder: string, name: string): Promise<string> {
  const aside = join(folder, `.trash-${name}-${randomBytes(4).toString('hex')}`)
  await rename(join(folder, name), aside)
  return aside
}

/** Links are removed, never what they point to. */
export const removeEntry = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

/** `stat` counts in these, whatever the disk does. */
const BLOCK = 512

/**
 * Bytes of a file, or of everything in a folder; 0 if it does not exist. Never follows a link. A log with a hole
 * takes less than its length.
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
