/**
 * Puts back what a program writes, when it starts, into files that are not its own: once it has started the tools of its
 * run, since it has read its settings then and its agent has not begun; and again when the turn is over. Not earlier: a
 * program that reads a file twice would write it twice. What was there is written down first: whoever finds the run
 * without its supervisor puts it back.
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
  /** Looks once more, and then no longer. */
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
  // Written when the program starts its tools.
  const watcher = watchStart(directory.toolsOwner, look)
  const stop = async (): Promise<void> => {
    watcher?.close()
    look()
    await looking
    await forget(directory)
  }
  return { stop }
}

/** What a supervisor had no time to put back. Its program must be gone. */
export async function putBackKept(directory: Pick<RunDirectory, 'kept'>): Promise<void> {
  const written = await readIfExists(directory.kept)
  if (written === null) return
  await Promise.all(keptIn(written).map(putBack))
  await forget(directory)
}

/** Nobody needs it any more, and it is the user's. */
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

/** Null where the system has no watchers left: the end of the turn must do then. */
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
    // It is gone, or may not be written: then it was not written by the program either.
  }
}

/** At one stroke, for whoever starts just now and reads it. A link to it stays a link. */
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
