/** Detects a full disk from the numbers of the file system, or from the output of programs. */

/** The minimum of free space that the store and the files of a run need. */
const LEAST_FREE_BYTES = 1024 * 1024
/** The minimum of free inodes: a run has about 20 files, and the store up to 3. */
const LEAST_FREE_FILES = 32

interface DiskFigures {
  /** The number of blocks, the free blocks for users, and the size of a block in bytes. */
  readonly blocks: number
  readonly bavail: number
  readonly bsize: number
  /** The number of inodes, and the number of free inodes. */
  readonly files: number
  readonly ffree: number
}

/**
 * Whether the disk is full. Some file systems do not count blocks or inodes and report a total of 0. This does not mean
 * that they are full.
 */
export const isFullDisk = ({ blocks, bavail, bsize, files, ffree }: DiskFigures): boolean =>
  (blocks > 0 && bavail * bsize < LEAST_FREE_BYTES) || (files > 0 && ffree < LEAST_FREE_FILES)

/** Whether the output of a program reports a full disk. The English messages of git, tar and Node are recognised. */
export const reportsFullDisk = (output: string): boolean => /no space left on device|disk quota exceeded/i.test(output)
