/** Policies that keep Gemini CLI from writing outside its workspace, even in the folders that it may read. */
import type { Job } from '../harness.ts'
import { spellings } from '../readable-folders.ts'

const WRITING = ['write_file', 'replace']

/**
 * The priority of the rules. It must be higher than the priority of the approval modes, which allow edits in every
 * readable folder.
 */
const PRIORITY = 901

/** A rule that allows skills without a question, because the card chose them and no person can answer. */
export const SKILL_RULE = rule({ toolName: 'activate_skill', decision: 'allow', priority: 900 })

/**
 * Rules that allow edits only in the workspace. A rule sees the path as the model writes it, so the path must be plain:
 * no `..`, no empty part, no escapes. It must also be absolute, because Gemini CLI searches every readable folder for a
 * relative path.
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

/**
 * Turns a path into a pattern. Special characters become `.`, which matches any character, because Gemini CLI drops
 * patterns that it finds unsafe.
 */
const literally = (path: string): string => path.replaceAll(/[^\w/-]/g, '.')

/** A rule that forbids a tool to write. `path` is a regular expression for the beginning of the path. */
function denyWrite(toolName: readonly string[], path: string, denyMessage: string): string {
  return rule({ toolName, argsPattern: `"file_path":"${path}`, decision: 'deny', priority: PRIORITY, denyMessage })
}

/** Formats a rule as TOML. A JSON string, number or list of strings is also valid TOML. */
function rule(fields: Readonly<Record<string, unknown>>): string {
  return ['[[rule]]', ...Object.entries(fields).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ''].join(
    '\n',
  )
}
