/**
 * Reads the agents of this machine: files in the data folder, approved files of repositories, and the built-in `shell`.
 */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ownEnvironment } from '../config/environment.ts'
import type { Environment } from '../config/environment.ts'
import { inHome } from '../config/home.ts'
import { readWhole } from '../util/read-whole.ts'
import { sha256 } from '../util/sha256.ts'
import type { Agent } from './agent.ts'
import { SHELL_AGENT, readAgent } from './agent.ts'
import { SETTLED_MS } from './agent-stamp.ts'
import { changedSince, readApprovals } from './approved-agents.ts'
import { findProgram } from '../processes/find-program.ts'
import type { AgentFileFault } from './front-matter.ts'
import { harnessOf, programName } from '../harnesses/index.ts'
import { systemReason } from '../util/system-errors.ts'

/** An agent on this machine. */
export interface LocalAgent extends Agent {
  /** The path of the agent's file. This is null for the built-in agent. */
  readonly file: string | null
  /** The path of the agent's program. Null means that the program was not found, or that the agent needs no program. */
  readonly program: string | null
}

/** An unusable agent file, with at least one fault. */
export interface BrokenFile {
  readonly file: string
  /** Whether the only fault of the file is that it changed after its approval. */
  readonly isChanged: boolean
  readonly faults: readonly AgentFileFault[]
}

export interface Roster {
  readonly agents: ReadonlyMap<string, LocalAgent>
  /** The agent files with faults, by file name without `.md`. The names keep their upper and lower case. */
  readonly broken: ReadonlyMap<string, BrokenFile>
  /**
   * The reason why the agents folder could not be read, so that agents may be missing. Null means that the folder could
   * be read.
   */
  readonly unreadable: string | null
}

/** Reads all agents. The dispatcher calls this in every pass, so that a changed file takes effect at once. */
export async function readRoster(home: string, env: Environment = ownEnvironment()): Promise<Roster> {
  const agents = new Map<string, LocalAgent>([[SHELL_AGENT.name, { ...SHELL_AGENT, file: null, program: null }]])
  const broken = new Map<string, BrokenFile>()
  const { files, fault } = await agentFiles(inHome.agents(home))
  for (const file of files) {
    const found = await readCached(file)
    if ('name' in found) agents.set(found.name, { ...found, file, program: programOf(found, env) })
    else broken.set(basename(file, '.md'), { file, faults: found, isChanged: false })
  }
  for (const { file, sha256: hash } of await readApprovals(home)) {
    const name = basename(file, '.md')
    // A file in the data folder takes precedence over a file in a repository.
    if (agents.has(name) || broken.has(name)) continue
    const found = await readApproved(file, hash)
    if (found === null) continue
    if ('name' in found) agents.set(name, { ...found, file, program: programOf(found, env) })
    else broken.set(name, { file, ...found })
  }
  // If the file of an agent has a fault, the agent's cards must wait. Another agent with the same name must not get
  // them.
  for (const name of broken.keys()) agents.delete(name)
  return { agents, broken, unreadable: fault }
}

/** The file of an agent that has a fault. `Coder.md` counts as the file of `coder`. */
export const brokenFileOf = (name: string, { broken }: Roster): BrokenFile | null =>
  [...broken].find(([stem]) => stem.toLowerCase() === name)?.[1] ?? null

type Read = ReturnType<typeof readAgent>

/** The parsed files. Parsing a file takes a millisecond, so an unchanged file is not parsed again. */
const known = new Map<string, { readonly stamp: string; readonly read: Read }>()

async function readCached(file: string): Promise<Read> {
  try {
    const { ino, size, ctimeNs, ctimeMs } = await stat(file, { bigint: true })
    const stamp = `${ino} ${size} ${ctimeNs}`
    const before = known.get(file)
    if (before?.stamp === stamp) return before.read
    const read = readAgent(await readWhole(file), basename(file, '.md'), await import('yaml'))
    if (Date.now() - Number(ctimeMs) > SETTLED_MS) known.set(file, { stamp, read })
    return read
  } catch (error) {
    return [{ line: 1, field: null, message: `cannot be read (${systemReason(error)})` }]
  }
}

/**
 * Reads an approved file. Returns null if the file does not exist, for example because another branch is checked out.
 * The text is read once for both hashing and parsing, so that it cannot change in between.
 */
async function readApproved(
  file: string,
  hash: string,
): Promise<Agent | Pick<BrokenFile, 'faults' | 'isChanged'> | null> {
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

/**
 * The agent files of a folder, sorted by name. A missing folder has no files. A folder that cannot be read gives a
 * fault.
 */
export async function agentFiles(folder: string): Promise<AgentFiles> {
  try {
    const names = (await readdir(folder)).filter((file) => file.endsWith('.md') && !file.startsWith('.'))
    return { files: names.toSorted().map((file) => join(folder, file)), fault: null }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { files: [], fault: code === 'ENOENT' ? null : `${folder} cannot be read (${systemReason(error)})` }
  }
}
