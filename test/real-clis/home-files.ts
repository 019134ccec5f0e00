/** Lists the files of a folder, and compares two such lists. */
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The paths in the folder, with the hash of each file or the target of each link. */
export type HomeFiles = ReadonlyMap<string, string>

export function filesIn(folder: string): HomeFiles {
  const found = new Map<string, string>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    const kind = lstatSync(path, { throwIfNoEntry: false })
    if (kind?.isSymbolicLink() === true) found.set(name, `-> ${readlinkSync(path)}`)
    if (kind?.isFile() === true) found.set(name, createHash('sha256').update(readFileSync(path)).digest('hex'))
  }
  return found
}

/**
 * Describes each change that a user would not want: a file that was changed or removed, and a new file outside `state`. `state`
 * lists the places where the program keeps its own files: files, folders, and prefixes of names (`logs_*`).
 */
export function changesTo(before: HomeFiles, after: HomeFiles, state: readonly string[]): readonly string[] {
  const isState = (name: string): boolean =>
    state.some((place) =>
      place.endsWith('*') ? name.startsWith(place.slice(0, -1)) : name === place || name.startsWith(`${place}/`),
    )
  return [
    ...[...before].flatMap(([name, hash]) =>
      after.get(name) === hash ? [] : [`${name} ${after.has(name) ? 'was changed' : 'was removed'}`],
    ),
    ...[...after.keys()].filter((name) => !before.has(name) && !isState(name)).map((name) => `${name} was added`),
  ]
}
