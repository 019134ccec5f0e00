/**
 * Makes a home folder for one run of Gemini CLI, because the CLI reads its tools only from its home folder. The folder
 * has the user's settings with an entry for Muster, and links to the user's other files. The user's own folder does not
 * change.
 */
import { join } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { asList, asObject, withoutComments } from '../../util/json-fields.ts'
import type { RunFiles, Job } from '../harness.ts'
import { toolsCommand } from '../mcp-entry.ts'
import type { Fields } from '../../util/json-fields.ts'
import { readableFolders } from '../readable-folders.ts'
import { skillFiles } from './skills.ts'
import { namesIn, readUserFile } from '../user-folder.ts'

const FOLDER = '.gemini'
const SETTINGS = 'settings.json'

/** Files that do not become links, because each run has its own state of Gemini CLI. */
const PRIVATE = new Set([SETTINGS, 'tmp', 'history', 'projects.json', 'state.json'])

const HOME = 'gemini'

/**
 * The stored conversations of Gemini CLI, and the file that maps each working folder to the name of its conversations.
 */
export const GEMINI_SESSIONS = ['tmp', 'projects.json'].map((name) => join(HOME, FOLDER, name))

export const geminiHome = ({ directory }: Pick<Job, 'directory'>): string => join(directory.path, HOME)

export function geminiFiles(job: Job): RunFiles {
  const own = geminiHome(job)
  const skills = skillFiles(job, own)
  const folder = geminiFolder({ own, env: job.env, opened: skills.opened, change: (user) => settingsWith(job, user) })
  const taken = new Set([...skills.files, ...skills.links].map(({ path }) => path))
  return {
    files: [...folder.files, ...skills.files],
    links: [...folder.links.filter(({ path }) => !taken.has(path)), ...skills.links],
  }
}

interface OwnFolder {
  /** The new home folder. */
  readonly own: string
  readonly env: Environment
  /** Folders of the user whose entries are linked one by one. */
  readonly opened?: readonly string[]
  /** Makes the settings from those of the user. */
  readonly change: (user: Fields) => object
}

/** A home folder with links to the user's files and with changed settings. */
export function geminiFolder({ own, env, opened = [], change }: OwnFolder): RunFiles {
  const user = env['GEMINI_CLI_HOME'] ?? env['HOME']
  const settings = change(user === undefined ? {} : settingsIn(join(user, FOLDER, SETTINGS)))
  return {
    files: [{ path: join(own, FOLDER, SETTINGS), content: `${JSON.stringify(settings, null, 2)}\n` }],
    links: user === undefined ? [] : linksTo(user, own, opened),
  }
}

function settingsWith(job: Job, user: Fields): Fields {
  const mcp = asObject(user['mcp']) ?? {}
  // If the user has a list of allowed servers, the list must contain Muster's server.
  const allowed =
    mcp['allowed'] === undefined ? {} : { mcp: { ...mcp, allowed: [...asList(mcp['allowed']), 'muster'] } }
  const mcpServers = { ...asObject(user['mcpServers']), muster: { ...toolsCommand(job), trust: true } }
  return { ...user, ...allowed, ...contextWith(job, asObject(user['context']) ?? {}), mcpServers }
}

/**
 * Adds the readable folders. With this setting, Gemini CLI could also write to these folders, but policies prevent that
 * (policy.ts).
 */
function contextWith(job: Job, context: Fields): Fields {
  const folders = readableFolders(job)
  if (folders.length === 0) return {}
  return { context: { ...context, includeDirectories: [...asList(context['includeDirectories']), ...folders] } }
}

function settingsIn(path: string): Fields {
  const text = readUserFile(path)
  if (text === null || text.trim() === '') return {}
  try {
    return asObject(JSON.parse(withoutComments(text))) ?? {}
  } catch (cause) {
    throw new Error(`Gemini's settings cannot be read: ${path} is not valid JSON. Fix the file.`, { cause })
  }
}

/** Links a whole folder of the user. If the folder also gets files of the run, its entries are linked one by one. */
function linksTo(user: string, own: string, opened: readonly string[]): RunFiles['links'] {
  const parts = (name: string): readonly string[] =>
    opened.includes(name) ? namesIn(join(user, name)).flatMap((one) => parts(join(name, one))) : [name]
  const inside = namesIn(join(user, FOLDER)).filter((name) => !PRIVATE.has(name))
  const skills = namesIn(user).filter((name) => name === '.agents')
  const names = [...inside.map((name) => join(FOLDER, name)), ...skills].flatMap(parts)
  return names.map((name) => ({ path: join(own, name), target: join(user, name) }))
}
