/**
 * A run must not lose its code to an upgrade: supervisors run from `<home>/lib/<version>/`, a copy of the supervisor, of
 * what stands between it and its agent, and of the SQLite binary that is made once per build and goes when no open run
 * names it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import packageFile from '../../../package.json' with { type: 'json' }
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { FILE_HELPER } from '../../file-helper/use-helper-in.ts'
import { BINDING_COPY, findBinding } from '../../loader/find-binding.ts'

export interface Library {
  /** As open runs name it; null when the program runs from where it is. */
  readonly version: string | null
  readonly program: string
}

/** What serves an agent the tools of its board; it lies beside the supervisor. */
export const SHIM = 'mcp.js'
/** What speaks with agents of the Agent Client Protocol; likewise. */
export const ACP_CLIENT = 'acp.js'
const BESIDE = [SHIM, ACP_CLIENT, FILE_HELPER] as const

/** A copy that was not finished is nobody's after this long. */
const ABANDONED_MS = 60 * 60_000

/** The copy of this build, made if it is not there. Where there is no binary to copy, the program itself. */
export async function installLibrary(home: string, program: string): Promise<Library> {
  const binding = bindingOf(program)
  if (binding === null) return { version: null, program }
  const version = await versionOf(program)
  const folder = join(inHome.lib(home), version)
  if (!(await isThere(folder))) await copyInto(folder, [binding, BINDING_COPY], ...(await filesOf(program)))
  return { version, program: join(folder, basename(program)) }
}

/** A built program comes with its code and that code compiled; scripts/bundle.mjs says why. */
async function filesOf(program: string): Promise<readonly (readonly [from: string, to: string])[]> {
  const names = [...['', '.code', '.cache'].map((end) => `${basename(program)}${end}`), ...BESIDE]
  const there = new Set(await readdir(dirname(program)))
  return names.filter((name) => there.has(name)).map((name) => [join(dirname(program), name), name])
}

function bindingOf(program: string): string | null {
  try {
    return findBinding(dirname(program))
  } catch {
    return null
  }
}

/** Two builds of one version are told apart by what they hold. */
async function versionOf(program: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(program))
  for (const name of BESIDE) hash.update(await readFile(join(dirname(program), name)).catch(() => ''))
  return `${packageFile.version}-${hash.digest('hex').slice(0, 12)}`
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

/** Whole under another name, then by rename: a folder that is there can be run from. */
async function copyInto(folder: string, ...files: readonly (readonly [from: string, to: string])[]): Promise<void> {
  await makePrivateFolder(dirname(folder))
  const unfinished = `${folder}.${randomBytes(4).toString('hex')}.tmp`
  await mkdir(unfinished, { mode: 0o700 })
  try {
    for (const [from, to] of files) await copyWhole(from, join(unfinished, to))
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another dispatcher was first; its copy is as good.
    if (!(await isThere(folder))) throw error
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from), { flag: 'wx', flush: true })
}

/** Removes the copies that neither this build nor an open run needs; answers their names. */
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
