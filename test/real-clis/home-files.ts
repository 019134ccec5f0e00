/** Every file of a folder, and what became of them. */
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Paths in the folder, with the hash of what is there. */
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
 * What the user would call a change, each as a clause: a file that is another or gone, wherever it is, and one that came
 * anywhere but in `state`, where the program keeps what is its own: files, folders, and beginnings of names (`logs_*`).
 */
export function changesTo(before: HomeFiles, after: HomeFiles, state: readonly string[]): readonly string[] {
  const isState = (name: string): boolean =>
    state.some((place) =>
      place.endsWith('*') ? name.startsWith(place.slice(0, -1)) : name === place || name.startsWith(`${place}/`),
    )
  return [
    ...[...before].flatMap(([name, hash]) =>
      after.get(name) === hash ? [] : [`${name} ${after.has(name) ? 'is another' : 'is gone'}`],
    ),
    ...[...after.keys()].filter((name) => !before.has(name) && !isState(name)).map((name) => `${name} came`),
  ]
}
