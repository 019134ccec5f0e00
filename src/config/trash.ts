import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { inHome, makePrivateFolder } from './home.ts'
import { systemReason, writeFault } from '../util/system-errors.ts'

const TRASHED = /^(.+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)-\d+$/

/** The original name of a folder in the trash, and when it was moved there. Null if Muster did not move it. */
export function trashedAt(entry: string): { readonly name: string; readonly at: number } | null {
  const [, name, ...digits] = TRASHED.exec(entry) ?? []
  if (name === undefined) return null
  const [year = 0, month = 0, day, hour, minute, second] = digits.map(Number)
  return { name, at: Date.UTC(year, month - 1, day, hour, minute, second) }
}

/**
 * Moves a folder to the trash and returns its new path; null if the folder does not exist. It is not deleted at once,
 * because it may hold a user's only copy. `gc` deletes it later.
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
