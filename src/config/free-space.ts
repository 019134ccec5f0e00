import { statfs } from 'node:fs/promises'
import { isFullDisk } from '../util/full-disk.ts'
import { simulatesFullDisk } from './system.ts'

/** Whether the disk of a folder is full. It finds this out without writing. False if the folder does not exist. */
export async function hasNoSpace(folder: string): Promise<boolean> {
  if (simulatesFullDisk()) return true
  const figures = await statfs(folder).catch(() => null)
  return figures !== null && isFullDisk(figures)
}
