/** Tells a full disk before something fails on it. */
import { statfs } from 'node:fs/promises'
import { testWorld } from './test-world.ts'

/** With less than this, neither the store nor the files of a run can be written. */
const LEAST_FREE_BYTES = 1024 * 1024
/** A run has about 20 files, and the store up to 3. */
const LEAST_FREE_FILES = 32

/** False when the folder does not exist. */
export async function hasNoSpace(folder: string): Promise<boolean> {
  if (testWorld().disk === 'full') return true
  const figures = await statfs(folder).catch(() => null)
  return figures !== null && isFull(figures)
}

interface DiskFigures {
  /** All blocks, those that a user may still fill, and their size in bytes. */
  readonly blocks: number
  readonly bavail: number
  readonly bsize: number
  /** The most files that the disk can hold, and how many more it takes. */
  readonly files: number
  readonly ffree: number
}

/** A file system that does not count its blocks or its files reports 0 of 0 free. */
export const isFull = ({ blocks, bavail, bsize, files, ffree }: DiskFigures): boolean =>
  (blocks > 0 && bavail * bsize < LEAST_FREE_BYTES) || (files > 0 && ffree < LEAST_FREE_FILES)
