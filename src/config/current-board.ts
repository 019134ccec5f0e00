/** The file that says which board is meant when nobody names one. Readers see the old word or the new, never half. */
import { rename, rm } from 'node:fs/promises'
import { readFile, writeFile } from '../util/guarded-files.ts'
import { inHome, makePrivateFolder } from './home.ts'
import { writeFault } from '../util/write-fault.ts'

export async function pointAtBoard(home: string, slug: string): Promise<void> {
  const path = inHome.current(home)
  const unfinished = `${path}.${process.pid}.tmp`
  // With a server's store this may be the first file of the home.
  await makePrivateFolder(home)
  try {
    await writeFile(unfinished, `${slug}\n`, { mode: 0o600 })
    await rename(unfinished, path)
  } catch (cause) {
    await rm(unfinished, { force: true })
    throw writeFault(cause, path)
  }
}

/** Takes the pointer away if it names this board; true when it did. */
export async function forgetBoard(home: string, slug: string): Promise<boolean> {
  const path = inHome.current(home)
  const named = await readFile(path, 'utf8').catch(() => '')
  if (named.trim() !== slug) return false
  await rm(path, { force: true })
  return true
}
