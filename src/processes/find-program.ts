import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { expandTilde } from '../util/paths.ts'

/** The path of a program on this machine. Null means that the program does not exist or cannot be executed. */
export function findProgram(program: string, path: string | undefined): string | null {
  const named = expandTilde(program)
  if (isAbsolute(named)) return isExecutable(named) ? named : null
  if (named.includes('/')) return null
  // Relative folders on the PATH are ignored, because they would be different folders in each workspace.
  const folders = (path ?? '').split(delimiter).filter(isAbsolute)
  return folders.map((folder) => join(folder, named)).find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
