/**
 * Reads a file that others may put something else in the place of: a pipe, which would be waited for without end, or a
 * device, which has none.
 */
import { closeSync, constants, fstatSync } from 'node:fs'
import { open, openSync, readFileSync } from './guarded-files.ts'

const MOST_BYTES = 1024 * 1024
/** Opening a pipe waits for whoever writes to it, unless this is said. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK

export async function readWhole(path: string, mostBytes = MOST_BYTES): Promise<string> {
  const file = await open(path, AT_ONCE)
  try {
    refuseOthers(await file.stat(), mostBytes)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

export function readWholeSync(path: string, mostBytes = MOST_BYTES): string {
  const file = openSync(path, AT_ONCE)
  try {
    refuseOthers(fstatSync(file), mostBytes)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

interface Found {
  readonly size: number
  isFile(): boolean
}

function refuseOthers(found: Found, mostBytes: number): void {
  if (!found.isFile()) throw new Error('it is not a file')
  if (found.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`)
}
