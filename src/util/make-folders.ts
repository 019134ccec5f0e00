import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder that only its owner can enter, with those above it; false when it was there already. One by one: where
 * a system says of a folder that it does not exist while the one above it does, as /proc does, Node's own way of making
 * them all never returns.
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
