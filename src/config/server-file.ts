/** The files with which `muster open` finds the HTTP servers of a data folder. Each server has its own file. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readFileSync } from '../util/guarded-files.ts'
import { inHome } from './home.ts'

export interface ServerFile {
  readonly url: string
  readonly pid: number
  /** Signs one-time links. Only the user can read the file. */
  readonly key: string
}

export const serverFilePath = (home: string, pid: number): string => join(inHome.servers(home), `${pid}.json`)

/** `isAlive` is false for a server that was killed, which left its file behind. */
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
    return [] // Another process writes or removes the file now.
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
