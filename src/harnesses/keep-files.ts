/**
 * Restores user files that a program changes when it starts: once it has started the tools, because it has read its settings
 * by then and the agent has not begun, and again at the end of the turn. Earlier would be too early: a program that reads a
 * file twice would change it twice. The original is saved first, so that recovery can restore it after a crash.
 */
import { watch } from 'node:fs'
import { chmod, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { writeFile } from '../util/guarded-files.ts'
import { readWhole } from '../util/read-whole.ts'
import type { Kept } from './harness.ts'
import { writeDurably } from '../runs/files/run-directory.ts'
import { readIfExists } from '../util/replace-file.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import { asList, asObject } from '../util/json-fields.ts'

export interface KeptFiles {
  /** Restores a last time, and stops. */
  stop(): Promise<void>
}

export async function keepFiles(
  keeps: readonly Kept[],
  directory: Pick<RunDirectory, 'kept' | 'toolsOwner'>,
): Promise<KeptFiles> {
  await writeDurably(directory.kept, `${JSON.stringify(keeps, null, 2)}\n`)
  let looking: Promise<unknown> = Promise.resolve()
  const look = (): void => {
    looking = looking.then(() => Promise.all(keeps.map(putBack)))
  }
  // The program writes this file when it starts the tools.
  const watcher = watchStart(directory.toolsOwner, look)
  const stop = async (): Promise<void> => {
    watcher?.close()
    look()
    await looking
    await forget(directory)
  }
  return { stop }
}

/** Restores what a lost supervisor could not. Its program must be gone. */
export async function putBackKept(directory: Pick<RunDirectory, 'kept'>): Promise<void> {
  const written = await readIfExists(directory.kept)
  if (written === null) return
  await Promise.all(keptIn(written).map(putBack))
  await forget(directory)
}

/** The saved copy is the user's content, so it is deleted. */
const forget = ({ kept }: Pick<RunDirectory, 'kept'>): Promise<void> => rm(kept, { force: true }).catch(() => {})

function keptIn(written: string): readonly Kept[] {
  try {
    return asList(JSON.parse(written)).flatMap((one) => {
      const { path, was, becomes } = asObject(one) ?? {}
      const isWhole = typeof path === 'string' && typeof was === 'string' && typeof becomes === 'string'
      return isWhole ? [{ path, was, becomes }] : []
    })
  } catch {
    return []
  }
}

/** Null if the system has no watchers left: then the end of the turn restores. */
function watchStart(holder: string, onStart: () => void): { close(): void } | null {
  try {
    const watcher = watch(dirname(holder), { persistent: false }, (_, name) => {
      if (name?.startsWith(basename(holder)) === true) onStart()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}

async function putBack({ path, was, becomes }: Kept): Promise<void> {
  try {
    if ((await readWhole(path)) === becomes) await replace(await realpath(path), was)
  } catch {
    // Gone or not writable: then the program did not change it either.
  }
}

/** Atomic, because another program may read the file now. A link stays a link. */
async function replace(path: string, content: string): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`
  const { mode } = await stat(path)
  try {
    await writeFile(beside, content)
    await chmod(beside, mode)
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}
