/**
 * Compares stored files with their recorded sizes and hashes. Each file is read in pieces, so that a large file needs
 * little memory.
 */
import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
// oxlint-disable-next-line muster/powers -- only the file helper runs the callers
import { readPieces } from './readable-file.ts'

export interface ExpectedFile {
  readonly path: string
  readonly size: number
  /** The recorded hash. Null means that only the size was recorded. */
  readonly sha256: string | null
}

export type FileState = 'sound' | 'missing' | 'altered' | 'unreadable'

/** Returns one state for each file, in the same order. */
export async function verifyFiles(files: readonly ExpectedFile[], signal?: AbortSignal): Promise<FileState[]> {
  const states: FileState[] = []
  for (const file of files) {
    signal?.throwIfAborted()
    states.push(await stateOf(file))
  }
  return states
}

async function stateOf({ path, size, sha256 }: ExpectedFile): Promise<FileState> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return 'missing'
  if (!found.isFile() || found.size !== size) return 'altered'
  if (sha256 === null) return 'sound'
  const hash = createHash('sha256')
  try {
    for await (const piece of readPieces(path)) hash.update(piece)
  } catch {
    return 'unreadable'
  }
  return hash.digest('hex') === sha256 ? 'sound' : 'altered'
}
