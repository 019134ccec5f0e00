/** Detects a full disk from the figures of its file system or from the output of programs. */

/** The store and the files of a run need at least this much. */
const LEAST_FREE_BYTES = 1024 * 1024
/** A run has about 20 files, and the store up to 3. */
const LEAST_FREE_FILES = 32

interface DiskFigures {
  /** All blocks, the free blocks for users, and the size of a block in bytes. */
  readonly blocks: number
  readonly bavail: number
  readonly bsize: number
  /** All inodes, and the free ones. */
  readonly files: number
  readonly ffree: number
}

/** A file system that does not count its blocks or its files reports 0 of 0 free. */
export const isFullDisk = ({ blocks, bavail, bsize, files, ffree }: DiskFigures): boolean =>
  (blocks > 0 && bavail * bsize < LEAST_FREE_BYTES) || (files > 0 && ffree < LEAST_FREE_FILES)

/** Recognises the English error output of git, tar and Node. */
export const reportsFullDisk = (output: string): boolean => /no space left on device|disk quota exceeded/i.test(output)
