/** Records each install in the data folder, so that removing it restores the exact file. */
import { rm } from 'node:fs/promises'
import { readFile } from '../util/guarded-files.ts'
import { replaceFile } from '../util/replace-file.ts'
import { inHome, makePrivateFolder } from '../config/home.ts'
import type { Created } from './config-format.ts'
import type { Splice } from './splice.ts'
import { writeFault } from '../util/system-errors.ts'

export interface InstallRecord {
  readonly made: Created
  /** The hash of the text that the install wrote. `undo` can be applied only to that text. */
  readonly left: string
  /** The change that restores the previous text, or null if there was no file. */
  readonly undo: Splice | null
  /** Folders that were created for the file, the innermost first. */
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

/** If the file cannot be read, there are no records. */
async function readRecords(home: string): Promise<Records> {
  try {
    return JSON.parse(await readFile(inHome.assistants(home), 'utf8')) as Records
  } catch {
    return {}
  }
}
