import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'

/** Copies a file or a folder to a path that does not exist yet. Links are copied as links. */
export const copyFiles = (from: string, to: string): Promise<void> =>
  cp(from, to, {
    recursive: true,
    errorOnExist: true,
    force: false,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  })
