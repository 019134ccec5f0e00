import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents. Only their owner can enter these folders. Returns false if the folder
 * already existed. Node's option `recursive` is not used, because it never returns for a path in /proc.
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
