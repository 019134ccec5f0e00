/** What was put into which file, so that it can be taken out to the byte. Kept in the home; without it less is known. */
import { rename, rm } from 'node:fs/promises'
import { readFile, writeFile } from '../util/guarded-files.ts'
import { inHome, makePrivateFolder } from '../config/home.ts'
import type { Made } from './config-format.ts'
import type { Splice } from './splice.ts'
import { writeFault } from '../util/write-fault.ts'

export interface InstallRecord {
  readonly made: Made
  /** Hash of the text as we left it. Once it is another, what was before cannot be had back by `undo`. */
  readonly left: string
  /** What makes it the text that it was before; null: there was no file. */
  readonly undo: Splice | null
  /** Folders that were made for it, the innermost first. */
  readonly folders: readonly string[]
}

type Records = Readonly<Record<string, InstallRecord>>

export const recordOf = async (home: string, file: string): Promise<InstallRecord | null> =>
  (await readRecords(home))[file] ?? null

export async function keepRecord(home: string, file: string, record: InstallRecord | null): Promise<void> {
  const { [file]: before, ...others } = await readRecords(home)
  if (record === null && before === undefined) return
  const path = inHome.assistants(home)
  const unfinished = `${path}.${process.pid}.tmp`
  await makePrivateFolder(home)
  try {
    const all: Records = record === null ? others : { ...others, [file]: record }
    if (Object.keys(all).length === 0) return await rm(path, { force: true })
    await writeFile(unfinished, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    await rename(unfinished, path)
  } catch (cause) {
    await rm(unfinished, { force: true })
    throw writeFault(cause, path)
  }
}

/** One that cannot be read is as good as none. */
async function readRecords(home: string): Promise<Records> {
  try {
    return JSON.parse(await readFile(inHome.assistants(home), 'utf8')) as Records
  } catch {
    return {}
  }
}
