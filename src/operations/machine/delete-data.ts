/** Deletes a data folder. A person may keep other files in the folder, so only Muster's own entries are deleted. */
import { readdir, realpath, rm, rmdir } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import { isOutside } from '../../util/paths.ts'
import { writeFault } from '../../util/system-errors.ts'

/** The entries of a data folder that are not listed in `inHome`. */
const OTHERS = ['bell', 'git', 'service.json', 'service.env', 'service.log']

const OWN: ReadonlySet<string> = new Set([
  ...OTHERS,
  ...Object.values(inHome).map((pathIn) => pathIn('', '-').split('/')[0] ?? ''),
])

/**
 * Entries that show that a folder is a data folder. They are deleted last, so that an interrupted deletion can be
 * repeated.
 */
const MARKS = ['agents', 'machine-id', 'muster.db']

/**
 * Matches the temporary files of `replaceFile`, and the files that SQLite and the quarantine write beside the store.
 */
const SIDE_FILE = /^(.+?)(?:-wal|-shm|-journal|\.corrupt\..*|\.\d+-\d+\.tmp)$/

const isOwn = (name: string): boolean => OWN.has(name) || OWN.has(SIDE_FILE.exec(name)?.[1] ?? '')

/**
 * Whether the folder is a data folder. The name `machine-id` alone is not enough, because `/etc` has a file with this
 * name too.
 */
const isDataFolder = (found: readonly string[]): boolean =>
  found.includes('muster.db') || (found.includes('machine-id') && found.includes('agents'))

interface DataFolder {
  /**
   * The real path of the folder. If `home` is a symbolic link, its target is deleted, because otherwise the boards
   * would stay on the disk.
   */
  readonly folder: string
  readonly own: readonly string[]
  /** The entries that Muster did not create. They stay, and then the data folder itself stays too. */
  readonly foreign: readonly string[]
}

/** Reads the folder. Throws an error if `home` is not a data folder, or contains the home folder of the user. */
export async function readDataFolder(home: string): Promise<DataFolder> {
  const folder = await realpath(home)
  const found = await readdir(folder)
  // The user's home folder may be missing, for example in a container.
  const userFolder = await realpath(os.homedir()).catch(() => os.homedir())
  if (!isDataFolder(found) || !isOutside(folder, userFolder))
    throw new BoardError(
      'invalid_input',
      `${home} does not look like a Muster data folder, so it was not deleted. Delete it yourself.`,
    )
  return { folder, own: found.filter(isOwn), foreign: found.filter((name) => !isOwn(name)) }
}

export async function deleteData(home: string): Promise<void> {
  const { folder, own, foreign } = await readDataFolder(home)
  try {
    for (const name of own.toSorted((a, b) => MARKS.indexOf(a) - MARKS.indexOf(b)))
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
    if (foreign.length > 0) return
    await rmdir(folder)
    // If `home` is a symbolic link, the link is removed too, because it would prevent the creation of a new folder.
    await rm(home, { force: true })
  } catch (cause) {
    throw writeFault(cause, home)
  }
}
