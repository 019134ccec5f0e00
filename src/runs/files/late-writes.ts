/**
 * Saves writes of a process whose run has lost its supervisor. Processes of a run never open the store. So a write
 * waits in the data folder until a dispatcher records it as the event `late_result`.
 */
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import type { InsideRun } from '../../config/load.ts'
import { RUN_ID, isTaskId } from '../../core/ids.ts'
import type { RunId, TaskId } from '../../core/ids.ts'
import { newToken } from '../../util/mint.ts'
import { writeWhole } from './run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import { asObject, asText } from '../../util/json-fields.ts'

/** The same limit as for a request to the supervisor. */
const MOST_BYTES = 8 * 1024 * 1024
/** The maximum number of saved writes, because a process that never stops writing must not fill the disk. */
const MOST_FILES = 1000

export interface LateWrite {
  readonly path: string
  readonly run: RunId
  /** The card of the run; null if the process did not know it. */
  readonly task: TaskId | null
  /** The command or the tool. */
  readonly verb: string
  readonly content: unknown
}

/**
 * Returns false if the write is not saved: the process does not have the nonce of the run, the write is too large, or
 * there is no space.
 */
export async function saveLateWrite(
  { run, task, nonce, lateFolder: folder }: InsideRun,
  verb: string,
  content: unknown,
): Promise<boolean> {
  if (folder === null || nonce === null) return false
  try {
    const text = JSON.stringify({ run, task, verb, content })
    await makePrivateFolder(folder)
    const names = await readdir(folder)
    if (text.length > MOST_BYTES || names.length >= MOST_FILES) return false
    const next = names.reduce((last, name) => Math.max(last, numberIn(name)), 0) + 1
    await writeWhole(join(folder, `${String(next).padStart(NUMBER_DIGITS, '0')}-${newToken()}.json`), text)
    return true
  } catch {
    return false
  }
}

const NUMBER_DIGITS = 10

/**
 * The number at the beginning of a file name, which gives the order. It is a counter and not a time, because clocks can
 * be set back. Simultaneous writes may share a number.
 */
const numberIn = (name: string): number => Number(/^(\d{10})-/.exec(name)?.[1] ?? 0)

/**
 * Yields the writes in the order in which they were saved, one at a time, because many may be large. Deletes JSON files that
 * are not late writes.
 */
export async function* readLateWrites(home: string): AsyncGenerator<LateWrite, void> {
  const folder = inHome.late(home)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.toSorted((a, b) => numberIn(a) - numberIn(b))) {
    const write = await readLateWrite(join(folder, name))
    if (write !== null) yield write
  }
}

export const deleteLateWrite = ({ path }: Pick<LateWrite, 'path'>): Promise<void> =>
  rm(path, { force: true, recursive: true })

async function readLateWrite(path: string): Promise<LateWrite | null> {
  if (!path.endsWith('.json')) return null
  try {
    const { size, nlink } = await lstat(path)
    // A file with a second hard link may be the store itself, which must not be opened here.
    const text = size <= MOST_BYTES && nlink === 1 && (await lstat(path)).isFile() ? await readIfExists(path) : null
    const { run, task, verb, content } = asObject(JSON.parse(text ?? 'null')) ?? {}
    const [owner, card, asked] = [asText(run) ?? '', asText(task) ?? '', asText(verb)?.trim() ?? '']
    if (RUN_ID.test(owner) && asked !== '')
      return { path, run: owner as RunId, task: isTaskId(card) ? card : null, verb: asked, content }
  } catch {
    // The file is not a late write, so it is deleted below.
  }
  await deleteLateWrite({ path })
  return null
}
