/** The file that names the current board. */
import { rm } from 'node:fs/promises'
import { readIfExists, replaceFile } from '../util/replace-file.ts'
import { inHome, makePrivateFolder } from './home.ts'
import { writeFault } from '../util/system-errors.ts'

export async function pointAtBoard(home: string, slug: string): Promise<void> {
  const path = inHome.current(home)
  // With a PostgreSQL store, this can be the first file in the data folder. So the folder may not exist yet.
  await makePrivateFolder(home)
  try {
    await replaceFile(path, `${slug}\n`)
  } catch (cause) {
    throw writeFault(cause, path)
  }
}

/** Removes the file if it names this board. Returns whether the file was removed. */
export async function forgetBoard(home: string, slug: string): Promise<boolean> {
  const path = inHome.current(home)
  const named = await readIfExists(path)
  if (named?.trim() !== slug) return false
  await rm(path, { force: true })
  return true
}
