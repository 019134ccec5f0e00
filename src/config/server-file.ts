/** The files with which `muster open` finds the HTTP servers of a data folder. Each server has its own file. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readFileSync } from '../util/guarded-files.ts'
import { inHome } from './home.ts'

export interface ServerFile {
  readonly url: string
  readonly pid: number
  /** Makes one-time links. Only the user can read the file. */
  readonly key: string
}

export const serverFilePath = (home: string, pid: number): string => join(inHome.servers(home), `${pid}.json`)

/** The servers that wrote a file. A server that was killed left its file behind. */
export function readServerFiles(home: string): readonly ServerFile[] {
  try {
    return readdirSync(inHome.servers(home)).flatMap((name) => readOne(join(inHome.servers(home), name)))
  } catch {
    return []
  }
}

function readOne(path: string): ServerFile[] {
  try {
    return [JSON.parse(readFileSync(path, 'utf8')) as ServerFile]
  } catch {
    return [] // It is being written or removed.
  }
}
