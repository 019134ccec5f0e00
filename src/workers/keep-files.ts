/**
 * Puts back what a program writes, when it starts, into files that are not its own: once it has started the tools of its
 * run, since it has read its settings then and its agent has not begun; and again when the turn is over. Not earlier: a
 * program that reads a file twice would write it twice.
 */
import { watch } from 'node:fs'
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { readWhole } from '../util/read-whole.ts'
import type { Kept } from './harness.ts'

export interface KeptFiles {
  /** Looks once more, and then no longer. */
  stop(): Promise<void>
}

/** `holder`: the file that is written when the program starts its tools. */
export function keepFiles(keeps: readonly Kept[], holder: string): KeptFiles {
  let looking: Promise<unknown> = Promise.resolve()
  const look = (): void => {
    looking = looking.then(() => Promise.all(keeps.map(putBack)))
  }
  const watcher = watchStart(holder, look)
  const stop = async (): Promise<void> => {
    watcher?.close()
    look()
    await looking
  }
  return { stop }
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
