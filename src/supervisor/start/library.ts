/**
 * Keeps the code of a run across upgrades. Supervisors run from a copy in `<home>/lib/<version>/`, which contains the
 * supervisor, its helper programs and the SQLite binary. Each build is copied once. The copy is deleted when no open
 * run needs it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import packageFile from '../../../package.json' with { type: 'json' }
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { FILE_HELPER } from '../../file-helper/use-helper-in.ts'
import { BINDING_COPY, findBinding } from '../../util/find-binding.ts'
import { shellWord } from '../../util/shell-word.ts'

export interface Library {
  /** The version that open runs record. Null means that the program runs from its original folder. */
  readonly version: string | null
  readonly program: string
}

/** The program that serves the board's tools to an agent. It is in the same folder as the supervisor. */
export const SHIM = 'mcp.js'
/** The client for agents of the Agent Client Protocol. It is in the same folder as the supervisor. */
export const ACP_CLIENT = 'acp.js'
const BESIDE = [SHIM, ACP_CLIENT, FILE_HELPER] as const
/**
 * The folder that is on the PATH of every run. Its command `muster` is the program that started the run, even if that
 * program runs from a clone.
 */
export const RUN_PROGRAMS = 'bin'

/** The age at which an unfinished copy is deleted, because the process that made it was probably interrupted. */
const ABANDONED_MS = 60 * 60_000

/**
 * Copies this build, unless it was copied before. Without a SQLite binary nothing is copied, and the program itself is
 * returned.
 */
export async function installLibrary(home: string, program: string): Promise<Library> {
  const binding = bindingOf(program)
  if (binding === null) return { version: null, program }
  const version = await versionOf(program)
  const folder = join(inHome.lib(home), version)
  if (!(await exists(folder))) await copyInto(folder, program, [[binding, BINDING_COPY], ...(await filesOf(program))])
  return { version, program: join(folder, basename(program)) }
}

/** The files to copy. A built program has its code and its compiled code in separate files (scripts/bundle.mjs). */
async function filesOf(program: string): Promise<readonly (readonly [from: string, to: string])[]> {
  const names = [...['', '.code', '.cache'].map((end) => `${basename(program)}${end}`), ...BESIDE]
  const present = new Set(await readdir(dirname(program)))
  return names.filter((name) => present.has(name)).map((name) => [join(dirname(program), name), name])
}

function bindingOf(program: string): string | null {
  try {
    return findBinding(dirname(program))
  } catch {
    return null
  }
}

/** The name of the copy. It contains a hash of the content, because two builds may have the same version number. */
async function versionOf(program: string): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(program))
    .update(musterCommand(program))
  for (const name of BESIDE) hash.update(await readFile(join(dirname(program), name)).catch(() => ''))
  return `${packageFile.version}-${hash.digest('hex').slice(0, 12)}`
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

const musterCommand = (program: string): string =>
  `#!/bin/sh\nexec ${[process.execPath, join(dirname(program), 'bin.js')].map(shellWord).join(' ')} "$@"\n`

/**
 * Copies the files to a temporary folder and renames this folder, so that a folder with the final name is always
 * complete.
 */
async function copyInto(
  folder: string,
  program: string,
  files: readonly (readonly [from: string, to: string])[],
): Promise<void> {
  await makePrivateFolder(dirname(folder))
  const unfinished = `${folder}.${randomBytes(4).toString('hex')}.tmp`
  await mkdir(unfinished, { mode: 0o700 })
  try {
    for (const [from, to] of files) await copyWhole(from, join(unfinished, to))
    await mkdir(join(unfinished, RUN_PROGRAMS), { mode: 0o700 })
    await writeFile(join(unfinished, RUN_PROGRAMS, 'muster'), musterCommand(program), { flush: true, mode: 0o700 })
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another dispatcher made the same copy first.
    if (!(await exists(folder))) throw error
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from), { flag: 'wx', flush: true })
}

/** Removes the copies that neither this build nor an open run needs. Returns the names of the removed copies. */
export async function sweepLibraries(home: string, needed: ReadonlySet<string | null>): Promise<readonly string[]> {
  const folder = inHome.lib(home)
  const names = await readdir(folder).catch((): string[] => [])
  const unneeded: string[] = []
  for (const name of names) {
    if (needed.has(name) || (name.endsWith('.tmp') && (await isRecent(join(folder, name))))) continue
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
    unneeded.push(name)
  }
  return unneeded
}

const isRecent = async (path: string): Promise<boolean> =>
  Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? 0) < ABANDONED_MS
