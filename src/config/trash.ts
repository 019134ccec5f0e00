import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { inHome, makePrivateFolder } from './home.ts'
import { systemReason, writeFault } from '../util/system-errors.ts'

const TRASHED = /^(.+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)-\d+$/

/**
 * The original name of a folder in the trash, and the time at which it was moved to the trash. Null means that Muster
 * did not move the folder.
 */
export function trashedAt(entry: string): { readonly name: string; readonly at: number } | null {
  const [, name, ...digits] = TRASHED.exec(entry) ?? []
  if (name === undefined) return null
  const [year = 0, month = 0, day, hour, minute, second] = digits.map(Number)
  return { name, at: Date.UTC(year, month - 1, day, hour, minute, second) }
}

/**
 * Moves a folder to the trash and returns its new path. Returns null if the folder does not exist. The folder is not
 * deleted at once, because it may contain the only copy of a file. `gc` deletes the folder later.
 */
export async function moveToTrash(home: string, folder: string): Promise<string | null> {
  if (!existsSync(folder)) return null
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+Z$/g, '')
  const target = join(inHome.trash(home), `${basename(folder)}-${stamp}-${process.pid}`)
  await makePrivateFolder(inHome.trash(home))
  try {
    await rename(folder, target)
    return target
  } catch (cause) {
    const why = systemReason(cause)
    throw writeFault(cause, folder, `Folder ${folder} could not be moved to ${target} (${why}): move it yourself.`)
  }
}
