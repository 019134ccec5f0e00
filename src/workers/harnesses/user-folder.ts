/** What a user has in a folder of their own, of which a run takes over what it needs. */
import { readFileSync, readdirSync } from 'node:fs'

export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
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
