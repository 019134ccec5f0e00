/** Policies that keep Gemini CLI from writing outside its workspace, even in the folders that it may read. */
import type { Job } from '../harness.ts'
import { spellings } from '../readable-folders.ts'

const WRITING = ['write_file', 'replace']

/** Higher than the priority of the approval modes, which allow edits in every included folder. */
const PRIORITY = 901

/** Allows skills without a question: the card chose them, and no person can answer. */
export const SKILL_RULE = rule({ toolName: 'activate_skill', decision: 'allow', priority: 900 })

/**
 * Rules match the path as the model writes it, so a path must be plain: no `..`, no empty part, no escapes. An edit must
 * name the absolute path, because Gemini CLI searches every included folder for a relative one.
 */
export function writeRules({ workspace }: Pick<Job, 'workspace'>): string {
  const places = spellings(workspace).map((place) => `${literally(place)}/`)
  const elsewhere = `(?!${places.join('|')})`
  const inside = `Write files in ${workspace} only.`
  return [
    denyWrite(WRITING, '[^"]*(?:\\.\\./|//|/\\./|\\\\)', 'Give a plain path without .. in it.'),
    denyWrite(['write_file'], `${elsewhere}/`, inside),
    denyWrite(['replace'], elsewhere, `${inside} Give the absolute path of the file.`),
  ].join('\n')
}

/** Special characters become `.`, which matches any character, because Gemini CLI drops patterns that it finds unsafe. */
const literally = (path: string): string => path.replaceAll(/[^\w/-]/g, '.')

/** `path` is a regular expression for the beginning of the path. */
function denyWrite(toolName: readonly string[], path: string, denyMessage: string): string {
  return rule({ toolName, argsPattern: `"file_path":"${path}`, decision: 'deny', priority: PRIORITY, denyMessage })
}

/** A JSON string, number or list of strings is also valid TOML. */
function rule(fields: Readonly<Record<string, unknown>>): string {
  return ['[[rule]]', ...Object.entries(fields).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ''].join(
    '\n',
  )
}
