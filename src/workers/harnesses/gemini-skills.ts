/** The skills of a run in the home that Gemini CLI has for it, and what it may do with them. */
import { join } from 'node:path'
import type { Furniture, Job } from '../harness.ts'
import { foldersOutside, handedOver } from '../skills/skill-folders.ts'

interface SkillFurniture extends Furniture {
  /** Folders of the home that hold something of ours beside what is the user's. */
  readonly opened: readonly string[]
}

/** Of its own folders the one that counts more: what is handed over is what is meant. */
const SKILLS = join('.agents', 'skills')
const POLICIES = join('.gemini', 'policies')

export function furnishSkills(job: Job, own: string): SkillFurniture {
  const { skills = [], agent } = job
  const handed = handedOver(job)
  const links = handed.map(({ name, folder }) => ({ path: join(own, SKILLS, name), target: folder }))
  // With full permissions it asks for nothing, and nothing is kept from it.
  const needsPolicy = skills.length > 0 && agent.permissions !== 'full'
  const content = policy([...foldersOutside(job), ...links.map(({ path }) => path)])
  return {
    files: needsPolicy ? [{ path: join(own, POLICIES, 'muster-skills.toml'), content }] : [],
    links,
    opened: [...(handed.length === 0 ? [] : ['.agents', SKILLS]), ...(needsPolicy ? [POLICIES] : [])],
  }
}

/**
 * Nobody is there to consent to a skill: the card asked for it. What a skill lets it read it could also write, so that is
 * denied: an agent could otherwise leave words for those that come after it. Paths are judged as they are written, so
 * that one which leads up leads nowhere.
 */
const policy = (folders: readonly string[]): string =>
  [
    rule({ toolName: 'activate_skill', decision: 'allow', priority: 900 }),
    unwritable('[^"]*\\.\\./', 'Name the file without .. in its path.'),
    ...folders.map((folder) =>
      unwritable(`${folder.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`, 'Skills are read here, and not changed.'),
    ),
  ].join('\n')

/** `path`: the beginning of those that are meant, as an expression. */
const unwritable = (path: string, denyMessage: string): string =>
  rule({
    toolName: ['write_file', 'replace'],
    argsPattern: `"file_path":"${path}`,
    decision: 'deny',
    priority: 901,
    denyMessage,
  })

/** Every JSON text, number or list of texts is one of TOML. */
const rule = (fields: Readonly<Record<string, unknown>>): string =>
  ['[[rule]]', ...Object.entries(fields).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ''].join('\n')
