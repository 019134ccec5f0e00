/**
 * Saves changes that a process of a run requests after its supervisor has ended. Processes of a run never open the
 * store. So the change waits in the data folder until a dispatcher records it as the event `late_result`.
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

/** The maximum size of a change. A request to the supervisor has the same limit. */
const MOST_BYTES = 8 * 1024 * 1024
/** The maximum number of saved changes. Without a limit, a process that never stops could fill the disk. */
const MOST_FILES = 1000

export interface LateWrite {
  readonly path: string
  readonly run: RunId
  /** The card of the run. Null means that the process did not know the card. */
  readonly task: TaskId | null
  /** The name of the command or the tool. */
  readonly verb: string
  readonly content: unknown
}

/**
 * Saves a change. Returns false if the process does not have the nonce of the run, the change is too large, or the disk
 * is full.
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
 * The number at the beginning of a file name, by which the files are sorted. It is a counter and not a time, because
 * clocks can be set back. Changes that are saved at the same time may share a number.
 */
const numberIn = (name: string): number => Number(/^(\d{10})-/.exec(name)?.[1] ?? 0)

/**
 * Yields the saved changes in the order in which they were saved. The changes come one at a time, because many may be
 * large. JSON files that are not saved changes are deleted.
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
    // A file with a second hard link may be the store itself, which this process must not open.
    const text = size <= MOST_BYTES && nlink === 1 && (await lstat(path)).isFile() ? await readIfExists(path) : null
    const { run, task, verb, content } = asObject(JSON.parse(text ?? 'null')) ?? {}
    const [owner, card, asked] = [asText(run) ?? '', asText(task) ?? '', asText(verb)?.trim() ?? '']
    if (RUN_ID.test(owner) && asked !== '')
      return { path, run: owner as RunId, task: isTaskId(card) ? card : null, verb: asked, content }
  } catch {
    // The file is not a saved change, so the code below deletes it.
  }
  await deleteLateWrite({ path })
  return null
}
