/** Detects a full disk from the figures of its file system or from the output of programs. */

/** The minimum of free space that the store and the files of a run need. */
const LEAST_FREE_BYTES = 1024 * 1024
/** The minimum of free inodes: a run has about 20 files, and the store up to 3. */
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

/**
 * Whether the disk is full. A file system that does not count its blocks or inodes reports a total of 0, which does not
 * mean full.
 */
export const isFullDisk = ({ blocks, bavail, bsize, files, ffree }: DiskFigures): boolean =>
  (blocks > 0 && bavail * bsize < LEAST_FREE_BYTES) || (files > 0 && ffree < LEAST_FREE_FILES)

/** Whether program output reports a full disk. It recognises the English messages of git, tar and Node. */
export const reportsFullDisk = (output: string): boolean => /no space left on device|disk quota exceeded/i.test(output)
