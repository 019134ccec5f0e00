/** What a user has in a folder of their own, of which a run takes over what it needs. */
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
