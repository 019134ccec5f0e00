import { open } from '../../util/guarded-files.ts'

/** A part of a file, as far as it is there; nothing when the file is not. */
export async function readAt(path: string, at: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return Buffer.alloc(0)
  try {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await file.read(buffer, 0, length, at)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
