/**
 * A skill: a folder with a SKILL.md in it, as agent CLIs share them. It is called what its folder is called; the head of
 * the file says what it is for, and the text below the head how to go about it.
 */
import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readFile } from '../../util/guarded-files.ts'
import { textFault } from '../../core/text.ts'
import { leadsOut } from '../../util/leads-out.ts'
import { systemWords } from '../../util/system-words.ts'

export interface Skill {
  readonly name: string
  readonly folder: string
  /** Whose it is: the user's own, or that of the repository in which a card works. */
  readonly from: 'home' | 'repository'
  /** The whole file; empty where there is a fault. */
  readonly text: string
  /** Why it cannot be used; null when it can. */
  readonly fault: string | null
}

/** A folder of skills. */
export interface Shelf {
  readonly folder: string
  readonly from: Skill['from']
  /** Its skills may not lead out of here; null: the user's own may lie anywhere. */
  readonly within: string | null
}

const FILE = 'SKILL.md'

const skillFile = (folder: string): string => join(folder, FILE)

/** One segment of a path and no way out of its folder, whatever a file system makes of names. */
export const isSkillName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name)

/** A text that is read before the work begins; what is longer belongs into files beside it. */
const MOST_BYTES = 256 * 1024

export async function readSkill({ folder: shelf, from, within }: Shelf, name: string): Promise<Skill> {
  const folder = join(shelf, name)
  const read = await readText(folder, within)
  return { name, folder, from, text: '', fault: null, ...read }
}

async function readText(folder: string, within: string | null): Promise<{ text: string } | { fault: string }> {
  const file = skillFile(folder)
  try {
    const found = await stat(file)
    if (!found.isFile()) return { fault: `its ${FILE} is no file` }
    if (found.size > MOST_BYTES) return { fault: `its ${FILE} is larger than ${MOST_BYTES / 1024} KB` }
    // What a repository names may not be somebody's secret: an agent is let into the folder.
    if (within !== null && (await anyLeadsOut([folder, file], within)))
      return { fault: 'it leads out of its repository' }
    const text = await readFile(file, 'utf8')
    if (text.includes('\uFFFD') || textFault(text) !== null) return { fault: `its ${FILE} is not text in UTF-8` }
    return text.trim() === '' ? { fault: `its ${FILE} is empty` } : { text }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      fault: code === 'ENOENT' ? `there is no ${FILE} in it` : `its ${FILE} cannot be read (${systemWords(error)})`,
    }
  }
}

async function anyLeadsOut(paths: readonly string[], within: string): Promise<boolean> {
  const top = await realpath(within)
  const real = await Promise.all(paths.map((path) => realpath(path)))
  return real.some((path) => leadsOut(top, path))
}

const SHAPE = /^---[ \t]*\r?\n((?:|[\s\S]*?\r?\n))---[ \t]*(?:\r?\n|$)([\s\S]*)$/

/** Head and text of the file; without a head, all of it is text. */
export function splitSkill(text: string): { readonly head: string | null; readonly body: string } {
  const [, head = null, body = text] = SHAPE.exec(text.replace(/^\uFEFF/, '')) ?? []
  return { head, body }
}

/**
 * Whether a CLI would know it by its name: the open format wants that name and a description in the head. Told without
 * reading YAML, which a supervisor has no room for: where this is mistaken the agent still has the path of the file.
 */
export function isStandard({ name, text }: Pick<Skill, 'name' | 'text'>): boolean {
  const { head } = splitSkill(text)
  const named = /^name:[ \t]*(["']?)([\w.-]+)\1[ \t]*\r?$/m.exec(head ?? '')?.[2]
  return named === name && /^description:[ \t]*\S/m.test(head ?? '')
}
