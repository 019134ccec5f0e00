/** Reads the user's files and folders. A file or folder that cannot be read counts as missing. */
import { readdirSync } from 'node:fs'
import { readWholeSync } from '../util/read-whole.ts'

export function readUserFile(path: string): string | null {
  try {
    return readWholeSync(path)
  } catch {
    return null
  }
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
