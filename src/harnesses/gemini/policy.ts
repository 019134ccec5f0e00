/** Policies that keep Gemini CLI from writing outside its workspace, also in the folders that it may read. */
import type { Job } from '../harness.ts'
import { spellings } from '../readable-folders.ts'

const WRITING = ['write_file', 'replace']

/** Above the rules of its approval modes, which allow edits in every included folder. */
const PRIORITY = 901

/** The card chose the skills, and no person is there to confirm them. */
export const SKILL_RULE = rule({ toolName: 'activate_skill', decision: 'allow', priority: 900 })

/**
 * Rules match the path as the model writes it, so a path must be plain: no `..`, no empty part, no escapes. An edit must
 * name the absolute path, because Gemini CLI looks for other names in every included folder.
 */
export function writeRules({ workspace }: Pick<Job, 'workspace'>): string {
  const places = spellings(workspace).map((place) => `${literally(place)}/`)
  const elsewhere = `(?!${places.join('|')})`
  const inside = `Write files in ${workspace} only.`
  return [
    unwritable(WRITING, '[^"]*(?:\\.\\./|//|/\\./|\\\\)', 'Give a plain path without .. in it.'),
    unwritable(['write_file'], `${elsewhere}/`, inside),
    unwritable(['replace'], elsewhere, `${inside} Give the absolute path of the file.`),
  ].join('\n')
}

/** Special characters become `.`, which matches any: Gemini CLI drops patterns that it finds unsafe. */
const literally = (path: string): string => path.replaceAll(/[^\w/-]/g, '.')

/** `path`: a regular expression for the beginning of the path. */
function unwritable(toolName: readonly string[], path: string, denyMessage: string): string {
  return rule({ toolName, argsPattern: `"file_path":"${path}`, decision: 'deny', priority: PRIORITY, denyMessage })
}

/** A JSON string, number or list of strings is also valid TOML. */
function rule(fields: Readonly<Record<string, unknown>>): string {
  return ['[[rule]]', ...Object.entries(fields).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ''].join(
    '\n',
  )
}
