import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents, which only their owner can enter. Returns false if the folder existed
 * already. Node's `recursive` option is not used, because it never returns below /proc: creating a folder there fails
 * with ENOENT although its parent exists.
 */
export function makeFolders(path: string): boolean {
  const above = dirname(path)
  try {
    return make(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isFolder(above)) throw error
  }
  makeFolders(above)
  return make(path)
}

function make(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (isFolder(path)) return false
    throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
