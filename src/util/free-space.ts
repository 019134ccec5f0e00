import { statfs } from 'node:fs/promises'

/** With less than this, neither the store nor the files of a run can be written. */
const LEAST_FREE_BYTES = 1024 * 1024

/** If the folder is missing or the system gives no figures, the disk counts as not full. */
export async function hasNoSpace(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => null)
  return found !== null && found.bavail * found.bsize < LEAST_FREE_BYTES
}
