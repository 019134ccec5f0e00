import { constants } from 'node:fs'
// oxlint-disable-next-line no-restricted-imports -- only the file helper runs it
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
