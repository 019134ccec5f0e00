/** Finds skills by name. A finder caches everything that it reads, so each request or pass needs a new finder. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { homeSkillFolder, repositorySkillFolders } from './skill-folders.ts'
import { isSkillName, readSkill } from './skill.ts'
import type { SkillFolder, Skill } from './skill.ts'

export class SkillFinder {
  readonly #home: SkillFolder
  readonly #ofRepositories = new Map<string, Promise<readonly SkillFolder[]>>()
  readonly #names = new Map<string, Promise<readonly string[]>>()
  readonly #skills = new Map<string, Promise<Skill>>()

  constructor(home: string) {
    this.#home = homeSkillFolder(home)
  }

  /**
   * Every skill with that name that a card in these folders can see. The first skill takes precedence over the others.
   */
  async allNamed(name: string, folders: readonly (string | null)[]): Promise<readonly Skill[]> {
    if (!isSkillName(name)) return []
    const found: Skill[] = []
    for (const folder of await this.#skillFolders(folders))
      // The name is compared with the names in the folder. So `Reading` and `reading` are different names, even on a
      // disk that ignores case.
      if ((await this.#namesIn(folder)).includes(name)) found.push(await this.#read(folder, name))
    return found
  }

  /**
   * The skill with that name that takes precedence. Even if this skill has a fault, it hides other skills of the same
   * name.
   */
  async find(name: string, folders: readonly (string | null)[]): Promise<Skill | null> {
    return (await this.allNamed(name, folders))[0] ?? null
  }

  /** All skills, sorted by name. After each skill come the skills of the same name that it hides. */
  async all(folders: readonly (string | null)[]): Promise<readonly Skill[]> {
    const found = await Promise.all((await this.names(folders)).map((name) => this.allNamed(name, folders)))
    return found.flat()
  }

  /** The names of the skills that a card in these folders can use. */
  async usable(folders: readonly (string | null)[]): Promise<readonly string[]> {
    const names = await this.names(folders)
    const found = await Promise.all(names.map((name) => this.find(name, folders)))
    return names.filter((_, at) => found[at]?.fault === null)
  }

  async names(folders: readonly (string | null)[]): Promise<readonly string[]> {
    const names = await Promise.all((await this.#skillFolders(folders)).map((folder) => this.#namesIn(folder)))
    return [...new Set(names.flat())].toSorted()
  }

  async #skillFolders(folders: readonly (string | null)[]): Promise<readonly SkillFolder[]> {
    const starts = folders.flatMap((folder) => (folder === null ? [] : [folder]))
    const found = await Promise.all(
      starts.map((start) => cached(this.#ofRepositories, start, () => repositorySkillFolders(start))),
    )
    const all = [this.#home, ...found.flat()]
    return all.filter((one, at) => all.findIndex(({ folder }) => folder === one.folder) === at)
  }

  #namesIn({ folder }: SkillFolder): Promise<readonly string[]> {
    return cached(this.#names, folder, () => skillNames(folder))
  }

  #read(folder: SkillFolder, name: string): Promise<Skill> {
    return cached(this.#skills, join(folder.folder, name), () => readSkill(folder, name))
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

function cached<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const made = cache.get(key) ?? make()
  cache.set(key, made)
  return made
}
