/** Reads the user's own folders, from which a run takes what it needs. */
import { readdirSync } from 'node:fs'
import { readWholeSync } from '../util/read-whole.ts'

export function readIfExists(path: string): string | null {
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
