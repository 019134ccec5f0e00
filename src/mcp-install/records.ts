/** Records each install in the data folder, so that a removal can restore the exact file. */
import { rm } from 'node:fs/promises'
import { readFile } from '../util/guarded-files.ts'
import { replaceFile } from '../util/replace-file.ts'
import { inHome, makePrivateFolder } from '../config/home.ts'
import type { Created } from './config-format.ts'
import type { Splice } from './splice.ts'
import { writeFault } from '../util/system-errors.ts'

export interface InstallRecord {
  readonly made: Created
  /** The hash of the text that the install wrote. `undo` can restore only this text. */
  readonly left: string
  /**
   * The change of the file that restores the text from before the install. Null means that the file did not exist then.
   */
  readonly undo: Splice | null
  /** The folders that were created for the file, innermost first. */
  readonly folders: readonly string[]
}

type Records = Readonly<Record<string, InstallRecord>>

export const recordOf = async (home: string, file: string): Promise<InstallRecord | null> =>
  (await readRecords(home))[file] ?? null

export async function keepRecord(home: string, file: string, record: InstallRecord | null): Promise<void> {
  const { [file]: before, ...others } = await readRecords(home)
  if (record === null && before === undefined) return
  const path = inHome.assistants(home)
  await makePrivateFolder(home)
  try {
    const all: Records = record === null ? others : { ...others, [file]: record }
    if (Object.keys(all).length === 0) return await rm(path, { force: true })
    await replaceFile(path, `${JSON.stringify(all, null, 2)}\n`)
  } catch (cause) {
    throw writeFault(cause, path)
  }
}

/** Reads the records. If the file cannot be read, the list of installs is empty. */
async function readRecords(home: string): Promise<Records> {
  try {
    return JSON.parse(await readFile(inHome.assistants(home), 'utf8')) as Records
  } catch {
    return {}
  }
}
