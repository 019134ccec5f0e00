/** Writes skills. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const skillText = (name: string, body = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: When to ${name}\n---\n${body}\n`

/** Writes a skill into a folder of skills and returns the folder of the skill. */
export function writeSkill(skillsFolder: string, name: string, text = skillText(name)): string {
  const folder = join(skillsFolder, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), text)
  return folder
}
