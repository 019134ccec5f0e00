/** Who can work here: the agent files of the home, those of repositories that were approved, and the built-in `shell`. */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ownEnvironment } from '../config/environment.ts'
import type { Environment } from '../config/environment.ts'
import { inHome } from '../config/home.ts'
import { readWhole } from '../util/read-whole.ts'
import { sha256 } from '../util/sha256.ts'
import type { Agent } from './agent.ts'
import { SHELL_AGENT, readAgent } from './agent.ts'
import { changedSince, readApprovals } from './approved-agents.ts'
import { findProgram } from '../processes/find-program.ts'
import type { Fault } from './front-matter.ts'
import { harnessOf, programName } from '../harnesses/index.ts'
import { systemWords } from '../util/system-words.ts'

/** An agent as it stands on this machine. */
export interface Enlisted extends Agent {
  /** Null: built in. */
  readonly file: string | null
  /** Where its program was found; null: it was not, or there is none to find. */
  readonly program: string | null
}

/** A file that names no usable agent. There is at least one fault. */
export interface Broken {
  readonly file: string
  /** Whether nothing is wrong with it but that it holds something else than what was approved. */
  readonly isChanged: boolean
  readonly faults: readonly Fault[]
}

export interface Roster {
  readonly agents: ReadonlyMap<string, Enlisted>
  /** By the name of the file, in the spelling that it has. */
  readonly broken: ReadonlyMap<string, Broken>
  /** Why the files of the home could not be looked for: whoever is missing may be there. Null when they could. */
  readonly unreadable: string | null
}

/** Looked through by every pass: an edited file counts at once, and a home has few of them. */
export async function readRoster(home: string, env: Environment = ownEnvironment()): Promise<Roster> {
  const agents = new Map<string, Enlisted>([[SHELL_AGENT.name, { ...SHELL_AGENT, file: null, program: null }]])
  const broken = new Map<string, Broken>()
  const { files, fault } = await agentFiles(inHome.agents(home))
  for (const file of files) {
    const found = await readOnce(file)
    if ('name' in found) agents.set(found.name, { ...found, file, program: programOf(found, env) })
    else broken.set(basename(file, '.md'), { file, faults: found, isChanged: false })
  }
  for (const { file, sha256: hash } of await readApprovals(home)) {
    const name = basename(file, '.md')
    // Whoever has a file in the home is that, whatever a repository brings.
    if (agents.has(name) || broken.has(name)) continue
    const found = await readApproved(file, hash)
    if (found === null) continue
    if ('name' in found) agents.set(name, { ...found, file, program: programOf(found, env) })
    else broken.set(name, { file, ...found })
  }
  // A file that cannot be used does not leave its card to somebody else.
  for (const name of broken.keys()) agents.delete(name)
  return { agents, broken, unreadable: fault }
}

/** The file that keeps somebody from being an agent: `Coder.md` is meant for the cards of `coder`, too. */
export const brokenFileOf = (name: string, { broken }: Roster): Broken | null =>
  [...broken].find(([stem]) => stem.toLowerCase() === name)?.[1] ?? null

type Read = ReturnType<typeof readAgent>

/** Reading one takes a millisecond, which a pass over twenty would feel: a file that did not change is not read again. */
const known = new Map<string, { readonly stamp: string; readonly read: Read }>()

/** File systems count time in steps: two changes within one cannot be told apart. */
const SETTLED_MS = 100

async function readOnce(file: string): Promise<Read> {
  try {
    const { ino, size, ctimeNs, ctimeMs } = await stat(file, { bigint: true })
    const stamp = `${ino} ${size} ${ctimeNs}`
    const before = known.get(file)
    if (before?.stamp === stamp) return before.read
    const read = readAgent(await readWhole(file), basename(file, '.md'), await import('yaml'))
    if (Date.now() - Number(ctimeMs) > SETTLED_MS) known.set(file, { stamp, read })
    return read
  } catch (error) {
    return [{ line: 1, field: null, message: `cannot be read (${systemWords(error)})` }]
  }
}

/** Null when it is not there: a repository may be on another branch. What is compared is what is used. */
async function readApproved(file: string, hash: string): Promise<Agent | Pick<Broken, 'faults' | 'isChanged'> | null> {
  const text = await readWhole(file).catch((error: NodeJS.ErrnoException) => error)
  if (typeof text !== 'string' && (text.code === 'ENOENT' || text.code === 'ENOTDIR')) return null
  if (typeof text !== 'string' || sha256(text) !== hash)
    return { faults: [{ line: 1, field: null, message: changedSince(file) }], isChanged: true }
  const read = readAgent(text, basename(file, '.md'), await import('yaml'))
  return 'name' in read ? read : { faults: read, isChanged: false }
}

function programOf(agent: Agent, env: Environment): string | null {
  const named = programName(harnessOf(agent), agent.args)
  return named === null ? null : findProgram(named, env['PATH'])
}

interface AgentFiles {
  readonly files: readonly string[]
  readonly fault: string | null
}

/** The agent files of a folder, by name. One that is not there has none; one that cannot be read may have any. */
export async function agentFiles(folder: string): Promise<AgentFiles> {
  try {
    const names = (await readdir(folder)).filter((file) => file.endsWith('.md') && !file.startsWith('.'))
    return { files: names.toSorted().map((file) => join(folder, file)), fault: null }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { files: [], fault: code === 'ENOENT' ? null : `${folder} cannot be read (${systemWords(error)})` }
  }
}
