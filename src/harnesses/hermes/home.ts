/**
 * Makes a home folder for one run of Hermes Agent, which reads its tools only from its settings. The home folder has
 * the user's settings with an entry for Muster, and links to the user's other files. The user's own folder does not
 * change.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RunFiles, Job } from '../harness.ts'
import { toolsCommand } from '../mcp-entry.ts'
import { namesIn, readUserFile } from '../user-folder.ts'

const SETTINGS = 'config.yaml'

/**
 * Files that do not become links, because each run has its own state of Hermes, such as conversations, logs and live
 * processes. Profiles do not become links either: Hermes would choose a profile, which does not have Muster's tools.
 */
const PRIVATE =
  /^(?:config\.yaml|state\.db.*|sessions|logs|cache|cron|checkpoints|kanban.*|active_profile|profiles|processes\.json|.*\.(?:pid|lock|sock))$/

const HOME = 'hermes'

/** The database with the conversations of Hermes. */
export const HERMES_SESSIONS = ['state.db'].map((name) => join(HOME, name))

export const hermesHome = ({ directory }: Pick<Job, 'directory'>): string => join(directory.path, HOME)

/** The path of an empty folder. An agent that may write only in this folder cannot change any file. */
export const nowhere = (job: Pick<Job, 'directory'>): string => join(hermesHome(job), 'nowhere')

export function hermesFiles(job: Job): RunFiles {
  const own = hermesHome(job)
  const user = userHome(job)
  const settings = user === null ? null : readUserFile(join(user, SETTINGS))
  const names = user === null ? [] : namesIn(user).filter((name) => !PRIVATE.test(name))
  return {
    files: [{ path: join(own, SETTINGS), content: withTools(settings ?? '', job) }],
    links: names.map((name) => ({ path: join(own, name), target: join(user ?? '', name) })),
  }
}

/** Finds the user's home folder of Hermes in the same way as `hermes`: the active profile, or else the main folder. */
function userHome({ env }: Pick<Job, 'env'>): string | null {
  if (env['HERMES_HOME']) return env['HERMES_HOME']
  if (!env['HOME']) return null
  const root = join(env['HOME'], '.hermes')
  const profile = readUserFile(join(root, 'active_profile'))?.trim() ?? ''
  const chosen = /^[\w-]+$/.test(profile) ? join(root, 'profiles', profile) : root
  return existsSync(chosen) ? chosen : root
}

/**
 * Inserts the entry for Muster's tools as JSON text, which is valid YAML. So the rest of the file keeps its form, and
 * the run needs no YAML parser.
 */
function withTools(settings: string, job: Job): string {
  if (/^\s*[[{]/.test(settings))
    throw new Error(`Hermes' settings cannot be read: write ${SETTINGS} with one key per line.`)
  const entry = `muster: ${JSON.stringify({ ...toolsCommand(job), enabled: true })}`
  const found = /^(["']?)mcp_servers\1[ \t]*:[ \t]*(.*)$/m.exec(settings)
  if (found === null) return `${settings.replace(/\n*$/, '\n')}mcp_servers:\n  ${entry}\n`.trimStart()
  const [line, , value = ''] = found
  const before = settings.slice(0, found.index)
  const after = settings.slice(found.index + line.length)
  if (value.startsWith('{') && !/\bmuster["']?[ \t]*:/.test(value))
    return `${before}mcp_servers: {${entry}, ${value.slice(1)}${after}`
  if (!/^(?:#.*|~|null)?$/.test(value.trim()))
    throw new Error(`Hermes' settings cannot be read: write mcp_servers in ${SETTINGS} with one key per line.`)
  const indent = /^(?:[ \t]*(?:#.*)?\r?\n)*([ \t]+)\S/.exec(after.replace(/^\r?\n/, ''))?.[1] ?? '  '
  return `${before}mcp_servers:\n${indent}${entry}${withoutOurs(after, indent)}`
}

/**
 * Removes an entry of the user that has the same name as Muster's entry. Otherwise the later of the two entries would
 * be used.
 */
function withoutOurs(after: string, indent: string): string {
  const end = /^[^\s#]/m.exec(after)?.index ?? after.length
  const own = new RegExp(`^${indent}(["']?)muster\\1[ \\t]*:.*(?:\\n(?:${indent}[ \\t]+.*|[ \\t]*)$)*`, 'm')
  return `${after.slice(0, end).replace(own, '')}${after.slice(end)}`
}
