/**
 * Reads a file that another process may have replaced with a pipe or a device. Pipes and devices are refused, because
 * reading them may never end.
 */
import { closeSync, constants, fstatSync } from 'node:fs'
import { open, openSync, readFileSync } from './guarded-files.ts'

const MOST_BYTES = 1024 * 1024
/** The flags for opening a file. Without O_NONBLOCK, opening a pipe would wait for a process that writes to it. */
const NON_BLOCKING = constants.O_RDONLY | constants.O_NONBLOCK

export async function readWhole(path: string, mostBytes = MOST_BYTES): Promise<string> {
  const file = await open(path, NON_BLOCKING)
  try {
    requireFile(await file.stat(), mostBytes)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

export function readWholeSync(path: string, mostBytes = MOST_BYTES): string {
  const file = openSync(path, NON_BLOCKING)
  try {
    requireFile(fstatSync(file), mostBytes)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

interface FileStats {
  readonly size: number
  isFile(): boolean
}

function requireFile(found: FileStats, mostBytes: number): void {
  if (!found.isFile()) throw new Error('it is not a file')
  if (found.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`)
}
