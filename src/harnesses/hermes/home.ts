/**
 * A home of its own for one run of Hermes Agent, which takes tools from its settings alone: those of the user with our
 * entry, and links to everything else that the user has there. What is the user's stays as it is.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RunFiles, Job } from '../harness.ts'
import { toolsCommand } from '../mcp-entry.ts'
import { namesIn, readIfExists } from '../user-folder.ts'

const SETTINGS = 'config.yaml'

/**
 * What Hermes keeps for itself there: conversations, logs, processes that live. A run has its own. Of profiles it would
 * choose one by itself, and not have the tools.
 */
const PRIVATE =
  /^(?:config\.yaml|state\.db.*|sessions|logs|cache|cron|checkpoints|kanban.*|active_profile|profiles|processes\.json|.*\.(?:pid|lock|sock))$/

const HOME = 'hermes'

/** The database of its conversations. */
export const HERMES_SESSIONS = ['state.db'].map((name) => join(HOME, name))

export const hermesHome = ({ directory }: Pick<Job, 'directory'>): string => join(directory.path, HOME)

/** A folder in which nothing is: who may write there and nowhere else cannot change anything. */
export const nowhere = (job: Pick<Job, 'directory'>): string => join(hermesHome(job), 'nowhere')

export function hermesFiles(job: Job): RunFiles {
  const own = hermesHome(job)
  const user = userHome(job)
  const settings = user === null ? null : readIfExists(join(user, SETTINGS))
  const names = user === null ? [] : namesIn(user).filter((name) => !PRIVATE.test(name))
  return {
    files: [{ path: join(own, SETTINGS), content: withTools(settings ?? '', job) }],
    links: names.map((name) => ({ path: join(own, name), target: join(user ?? '', name) })),
  }
}

/** As `hermes` alone would find it: the profile that was chosen for good, else the first one. */
function userHome({ env }: Pick<Job, 'env'>): string | null {
  if (env['HERMES_HOME']) return env['HERMES_HOME']
  if (!env['HOME']) return null
  const root = join(env['HOME'], '.hermes')
  const profile = readIfExists(join(root, 'active_profile'))?.trim() ?? ''
  const chosen = /^[\w-]+$/.test(profile) ? join(root, 'profiles', profile) : root
  return existsSync(chosen) ? chosen : root
}

/**
 * Put in as text, since JSON is YAML, too: what stands around it keeps its form, and no run has to hold a reader of YAML
 * in memory.
 */
function withTools(settings: string, job: Job): string {
  if (/^\s*[[{]/.test(settings)) throw new Error(`Hermes' settings cannot be read: write ${SETTINGS} line by line.`)
  const entry = `muster: ${JSON.stringify({ ...toolsCommand(job), enabled: true })}`
  const found = /^(["']?)mcp_servers\1[ \t]*:[ \t]*(.*)$/m.exec(settings)
  if (found === null) return `${settings.replace(/\n*$/, '\n')}mcp_servers:\n  ${entry}\n`.trimStart()
  const [line, , value = ''] = found
  const before = settings.slice(0, found.index)
  const after = settings.slice(found.index + line.length)
  if (value.startsWith('{') && !/\bmuster["']?[ \t]*:/.test(value))
    return `${before}mcp_servers: {${entry}, ${value.slice(1)}${after}`
  if (!/^(?:#.*|~|null)?$/.test(value.trim()))
    throw new Error(`Hermes' settings cannot be read: write mcp_servers in ${SETTINGS} line by line.`)
  const indent = /^(?:[ \t]*(?:#.*)?\r?\n)*([ \t]+)\S/.exec(after.replace(/^\r?\n/, ''))?.[1] ?? '  '
  return `${before}mcp_servers:\n${indent}${entry}${withoutOurs(after, indent)}`
}

/** A server that the user calls as we call ours is left out: of two entries the later one would count. */
function withoutOurs(after: string, indent: string): string {
  const end = /^[^\s#]/m.exec(after)?.index ?? after.length
  const own = new RegExp(`^${indent}(["']?)muster\\1[ \\t]*:.*(?:\\n(?:${indent}[ \\t]+.*|[ \\t]*)$)*`, 'm')
  return `${after.slice(0, end).replace(own, '')}${after.slice(end)}`
}
