/** Removes entries of folders that Muster manages. */
import { randomBytes } from 'node:crypto'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Matches an entry that is being removed, and captures its original name. */
const ASIDE = /^\.trash-(.+)-[0-9a-f]{8}$/

/** The name of an entry before `moveAside`; null for any other entry. */
export const trashedName = (name: string): string | null => ASIDE.exec(name)?.[1] ?? null

/** Renames an entry in one step before it is removed, because the removal takes longer and may be interrupted. */
export async function moveAside(folder: string, name: string): Promise<string> {
  const aside = join(folder, `.trash-${name}-${randomBytes(4).toString('hex')}`)
  await rename(join(folder, name), aside)
  return aside
}

/** Removes links, but never their targets. */
export const removeEntry = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

/** The unit in which `stat` counts blocks, on every disk. */
const BLOCK = 512

/**
 * The bytes that a file or folder uses on disk; 0 if it does not exist. Never follows a link. A log with a hole uses
 * fewer bytes than its length.
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
