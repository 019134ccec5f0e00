/**
 * Restores files of the user that a program changes when it starts. The first restore happens when the program starts
 * the board's tools, because by then the program has read its settings. The second restore happens at the end of the
 * turn. An earlier restore would be too early: a program that reads a file twice would change the file twice. The
 * original content is saved first, for a recovery after a crash.
 */
import { watch } from 'node:fs'
import { realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { readWhole } from '../util/read-whole.ts'
import type { UnwantedChange } from './harness.ts'
import { writeDurably } from '../runs/files/run-directory.ts'
import { readIfExists, replaceFile } from '../util/replace-file.ts'
import type { RunDirectory } from '../runs/files/run-directory.ts'
import { asList, asObject } from '../util/json-fields.ts'

export interface FileRestorer {
  /** Restores the files one last time, and stops watching. */
  stop(): Promise<void>
}

export async function restoreChangedFiles(
  unwantedChanges: readonly UnwantedChange[],
  directory: Pick<RunDirectory, 'kept' | 'toolsOwner'>,
): Promise<FileRestorer> {
  await writeDurably(directory.kept, `${JSON.stringify(unwantedChanges, null, 2)}\n`)
  let restoring: Promise<unknown> = Promise.resolve()
  const restoreAll = (): void => {
    restoring = restoring.then(() => Promise.all(unwantedChanges.map(restore)))
  }
  // When the program starts the board's tools, the tools write this file.
  const watcher = watchFile(directory.toolsOwner, restoreAll)
  const stop = async (): Promise<void> => {
    watcher?.close()
    restoreAll()
    await restoring
    await removeSaved(directory)
  }
  return { stop }
}

/**
 * Restores the files of a run whose supervisor is gone. Call this function only after the agent's program is gone too.
 */
export async function restoreAfterCrash(directory: Pick<RunDirectory, 'kept'>): Promise<void> {
  const written = await readIfExists(directory.kept)
  if (written === null) return
  await Promise.all(changesIn(written).map(restore))
  await removeSaved(directory)
}

/** Deletes the saved copy, because it contains the user's data. */
const removeSaved = ({ kept }: Pick<RunDirectory, 'kept'>): Promise<void> => rm(kept, { force: true }).catch(() => {})

function changesIn(written: string): readonly UnwantedChange[] {
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

/**
 * Watches a file. Returns null if the system cannot watch more files. In that case, the user's files are restored only
 * at the end of the turn.
 */
function watchFile(path: string, onChange: () => void): { close(): void } | null {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name?.startsWith(basename(path)) === true) onChange()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}

async function restore({ path, was, becomes }: UnwantedChange): Promise<void> {
  try {
    if ((await readWhole(path)) === becomes) await replace(await realpath(path), was)
  } catch {
    // The file is gone or cannot be written, so the program has not changed the file either.
  }
}

/**
 * Replaces the file atomically, because another program may be reading it. `path` is a real path, so a link stays a
 * link.
 */
async function replace(path: string, content: string): Promise<void> {
  const { mode } = await stat(path)
  await replaceFile(path, content, { mode: mode & 0o7777, exactMode: true })
}
