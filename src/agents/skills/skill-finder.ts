/** Finds skills. It caches what it reads, so use one for a single request or pass. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { homeShelf, shelvesAround } from './card-shelves.ts'
import { isSkillName, readSkill } from './skill.ts'
import type { Shelf, Skill } from './skill.ts'

export class SkillFinder {
  readonly #home: Shelf
  readonly #around = new Map<string, Promise<readonly Shelf[]>>()
  readonly #names = new Map<string, Promise<readonly string[]>>()
  readonly #skills = new Map<string, Promise<Skill>>()

  constructor(home: string) {
    this.#home = homeShelf(home)
  }

  /** Every skill of that name for a card in these folders; the first takes precedence. */
  async allNamed(name: string, folders: readonly (string | null)[]): Promise<readonly Skill[]> {
    if (!isSkillName(name)) return []
    const found: Skill[] = []
    for (const shelf of await this.#shelves(folders))
      // Compared with the listing: `Reading` is not `reading`, even on a case-insensitive disk.
      if ((await this.#namesOn(shelf)).includes(name)) found.push(await this.#read(shelf, name))
    return found
  }

  /** A skill with a fault is found too, and hides others of its name. */
  async find(name: string, folders: readonly (string | null)[]): Promise<Skill | null> {
    return (await this.allNamed(name, folders))[0] ?? null
  }

  /** All skills by name, each followed by those it hides. */
  async all(folders: readonly (string | null)[]): Promise<readonly Skill[]> {
    const found = await Promise.all((await this.names(folders)).map((name) => this.allNamed(name, folders)))
    return found.flat()
  }

  /** The names that a card can use. */
  async usable(folders: readonly (string | null)[]): Promise<readonly string[]> {
    const names = await this.names(folders)
    const found = await Promise.all(names.map((name) => this.find(name, folders)))
    return names.filter((_, at) => found[at]?.fault === null)
  }

  async names(folders: readonly (string | null)[]): Promise<readonly string[]> {
    const names = await Promise.all((await this.#shelves(folders)).map((shelf) => this.#namesOn(shelf)))
    return [...new Set(names.flat())].toSorted()
  }

  async #shelves(folders: readonly (string | null)[]): Promise<readonly Shelf[]> {
    const around = folders.flatMap((folder) => (folder === null ? [] : [folder]))
    const shelves = await Promise.all(around.map((folder) => once(this.#around, folder, () => shelvesAround(folder))))
    const all = [this.#home, ...shelves.flat()]
    return all.filter((shelf, at) => all.findIndex(({ folder }) => folder === shelf.folder) === at)
  }

  #namesOn({ folder }: Shelf): Promise<readonly string[]> {
    return once(this.#names, folder, () => skillNames(folder))
  }

  #read(shelf: Shelf, name: string): Promise<Skill> {
    return once(this.#skills, join(shelf.folder, name), () => readSkill(shelf, name))
  }
}

async function skillNames(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(() => [])).filter(isSkillName)
  const folders = await Promise.all(names.map((name) => isFolder(join(folder, name))))
  return names.filter((_, at) => folders[at])
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

function once<T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const made = kept.get(key) ?? make()
  kept.set(key, made)
  return made
}
