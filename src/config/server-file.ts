/**
 * The files that describe running HTTP servers of a data folder. `muster open` finds the servers by these files. Each
 * server has its own file.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readFileSync } from '../util/guarded-files.ts'
import { inHome } from './home.ts'

export interface ServerFile {
  readonly url: string
  readonly pid: number
  /** The key that signs one-time links. Only the user can read the file with this key. */
  readonly key: string
}

export const serverFilePath = (home: string, pid: number): string => join(inHome.servers(home), `${pid}.json`)

/** Reads the files of the servers. `isAlive` is false if a server was killed and left its file behind. */
export function readServerFiles(home: string): readonly (ServerFile & { readonly isAlive: boolean })[] {
  try {
    return readdirSync(inHome.servers(home))
      .flatMap((name) => readOne(join(inHome.servers(home), name)))
      .map((file) => ({ ...file, isAlive: exists(file.pid) }))
  } catch {
    return []
  }
}

function readOne(path: string): ServerFile[] {
  try {
    return [JSON.parse(readFileSync(path, 'utf8')) as ServerFile]
  } catch {
    return [] // Another process is writing or removing the file at this moment, so the file is skipped.
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
