/** The check `file:<glob>`. It passes if at least one file of the workspace matches. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expandBraces, isLiteral, segmentMatcher, segmentsOf } from './glob.ts'
import { pathFault, pathInside } from './inside.ts'

/**
 * The maximum number of entries that a probe reads. A workspace has fewer entries. The limit keeps a probe from reading
 * a whole disk.
 */
const MOST_ENTRIES = 200_000

class TooMany extends Error {}

interface FileSearch {
  readonly root: string
  left: number
}

/** The reason why no file matches the pattern. Null means that a file matches. */
export async function probeFile(root: string, glob: string): Promise<string | null> {
  const patterns = expandBraces(glob)
  const fault = patterns.map(pathFault).find((found) => found !== null)
  if (fault !== undefined) return fault
  const search: FileSearch = { root, left: MOST_ENTRIES }
  try {
    for (const pattern of patterns) if (await finds(search, '', segmentsOf(pattern))) return null
  } catch (error) {
    if (error instanceof TooMany) return `${glob}: no match among the first ${MOST_ENTRIES} files`
    throw error
  }
  return `no file matches ${glob}`
}

async function finds(search: FileSearch, folder: string, segments: readonly string[]): Promise<boolean> {
  const [segment, ...rest] = segments
  if (segment === undefined) return false
  if (segment === '**') {
    if (await finds(search, folder, rest.length === 0 ? ['*'] : rest)) return true
    for (const name of await folders(search, folder)) if (await finds(search, join(folder, name), segments)) return true
    return false
  }
  for (const name of await names(search, folder, segment)) {
    const path = join(folder, name)
    if (rest.length === 0 ? await isFile(search, path) : await finds(search, path, rest)) return true
  }
  return false
}

async function names(search: FileSearch, folder: string, segment: string): Promise<readonly string[]> {
  if (isLiteral(segment)) return [segment]
  return (await entries(search, folder)).map(({ name }) => name).filter(segmentMatcher(segment))
}

/** The folders in a folder. Symbolic links are not followed, because links that form a cycle would never end. */
const folders = async (search: FileSearch, folder: string): Promise<readonly string[]> =>
  (await entries(search, folder))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)

async function entries(search: FileSearch, folder: string) {
  const found = await readdir(join(search.root, folder), { withFileTypes: true }).catch(() => [])
  search.left -= found.length
  if (search.left < 0) throw new TooMany()
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

async function isFile({ root }: FileSearch, path: string): Promise<boolean> {
  const real = await pathInside(root, path)
  return real !== null && (await stat(real)).isFile()
}
