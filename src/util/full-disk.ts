/** How a full disk shows: in the figures of its file system, and in what programs print. */

/** With less than this, neither the store nor the files of a run can be written. */
const LEAST_FREE_BYTES = 1024 * 1024
/** A run has about 20 files, and the store up to 3. */
const LEAST_FREE_FILES = 32

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
export const isFullDisk = ({ blocks, bavail, bsize, files, ffree }: DiskFigures): boolean =>
  (blocks > 0 && bavail * bsize < LEAST_FREE_BYTES) || (files > 0 && ffree < LEAST_FREE_FILES)

/** For the error output of git, tar and Node, in English. */
export const reportsFullDisk = (output: string): boolean => /no space left on device|disk quota exceeded/i.test(output)
