/**
 * A skill is a folder with a SKILL.md file. The name of the folder is the name of the skill. The front matter describes
 * the skill, and the text contains the instructions.
 */
import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readFile } from '../../util/guarded-files.ts'
import { textFault } from '../../core/text.ts'
import { isOutside } from '../../util/paths.ts'
import { systemReason } from '../../util/system-errors.ts'

export interface Skill {
  readonly name: string
  readonly folder: string
  /** The source of the skill: the user's own skills, or the card's repository. */
  readonly from: 'home' | 'repository'
  /** The text of the whole file. Empty if the skill has a fault. */
  readonly text: string
  /** The reason why the skill cannot be used. Null means that the skill can be used. */
  readonly fault: string | null
}

/** A folder that contains skills. */
export interface SkillFolder {
  readonly folder: string
  readonly from: Skill['from']
  /**
   * The folder in which the targets of links must be. Null means that links may lead anywhere, because the user owns
   * the skills.
   */
  readonly within: string | null
}

const FILE = 'SKILL.md'

const skillFile = (folder: string): string => join(folder, FILE)

/** Whether the name is a single path segment, so that the name cannot lead out of the folder of skills. */
export const isSkillName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name)

/** The maximum size of a SKILL.md file. Longer texts belong in separate files of the skill. */
const MAX_BYTES = 256 * 1024

export async function readSkill({ folder: parent, from, within }: SkillFolder, name: string): Promise<Skill> {
  const folder = join(parent, name)
  const read = await readSkillText(folder, within)
  return { name, folder, from, text: '', fault: null, ...read }
}

async function readSkillText(folder: string, within: string | null): Promise<{ text: string } | { fault: string }> {
  const file = skillFile(folder)
  try {
    const found = await stat(file)
    if (!found.isFile()) return { fault: `its ${FILE} is not a file` }
    if (found.size > MAX_BYTES) return { fault: `its ${FILE} is larger than ${MAX_BYTES / 1024} KB` }
    // The agent may read this folder, so a repository must not link it to secrets of the user.
    if (within !== null && (await anyLeadsOut([folder, file], within)))
      return { fault: 'a link of the skill leads out of its repository' }
    const text = await readFile(file, 'utf8')
    if (text.includes('\uFFFD') || textFault(text) !== null) return { fault: `its ${FILE} is not text in UTF-8` }
    return text.trim() === '' ? { fault: `its ${FILE} is empty` } : { text }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      fault: code === 'ENOENT' ? `it has no ${FILE}` : `its ${FILE} cannot be read (${systemReason(error)})`,
    }
  }
}

async function anyLeadsOut(paths: readonly string[], within: string): Promise<boolean> {
  const top = await realpath(within)
  const real = await Promise.all(paths.map((path) => realpath(path)))
  return real.some((path) => isOutside(top, path))
}

const SHAPE = /^---[ \t]*\r?\n((?:|[\s\S]*?\r?\n))---[ \t]*(?:\r?\n|$)([\s\S]*)$/

/** Splits a SKILL.md file into front matter and text. */
export function splitSkill(text: string): { readonly head: string | null; readonly body: string } {
  const [, head = null, body = text] = SHAPE.exec(text.replace(/^\uFEFF/, '')) ?? []
  return { head, body }
}

/**
 * Whether a CLI can load the skill by name. The front matter must have this name and a description. This function does
 * not use a YAML parser, which would take memory in a supervisor. If the result is wrong, the agent still has the path
 * of the skill.
 */
export function isStandard({ name, text }: Pick<Skill, 'name' | 'text'>): boolean {
  const { head } = splitSkill(text)
  const named = /^name:[ \t]*(["']?)([\w.-]+)\1[ \t]*\r?$/m.exec(head ?? '')?.[2]
  return named === name && /^description:[ \t]*\S/m.test(head ?? '')
}
