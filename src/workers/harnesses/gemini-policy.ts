/** What Gemini CLI may do with files outside its workspace: read those of the folders that it may enter, change none. */
import type { Job } from '../harness.ts'
import { spellings } from '../readable-folders.ts'

const WRITING = ['write_file', 'replace']

/** Above the rules of its modes, which let it edit whatever it may enter. */
const PRIORITY = 901

/** Skills were chosen by the card: nobody is there to consent to them again. */
export const SKILL_RULE = rule({ toolName: 'activate_skill', decision: 'allow', priority: 900 })

/**
 * Rules see a path as the model writes it. So a path must be plain: no `..`, no empty step, nothing escaped. An edit
 * must also name the whole path: a name that is not in the workspace is looked for in every folder that it may enter.
 */
export function writeRules({ workspace }: Pick<Job, 'workspace'>): string {
  const places = spellings(workspace).map((place) => `${literally(place)}/`)
  const elsewhere = `(?!${places.join('|')})`
  const inside = `Write files in ${workspace} only.`
  return [
    unwritable(WRITING, '[^"]*(?:\\.\\./|//|/\\./|\\\\)', 'Name the file by its plain path, without .. in it.'),
    unwritable(['write_file'], `${elsewhere}/`, inside),
    unwritable(['replace'], elsewhere, `${inside} Name the file by its whole path.`),
  ].join('\n')
}

/** A character with a meaning stands for any: a pattern that Gemini finds unsafe would be left out. */
const literally = (path: string): string => path.replaceAll(/[^\w/-]/g, '.')

/** `path`: the beginning of the paths that are meant, as an expression. */
function unwritable(toolName: readonly string[], path: string, denyMessage: string): string {
  return rule({ toolName, argsPattern: `"file_path":"${path}`, decision: 'deny', priority: PRIORITY, denyMessage })
}

/** Every JSON text, number or list of texts is one of TOML. */
function rule(fields: Readonly<Record<string, unknown>>): string {
  return ['[[rule]]', ...Object.entries(fields).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ''].join(
    '\n',
  )
}
