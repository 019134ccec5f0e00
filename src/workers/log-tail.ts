import { open } from 'node:fs/promises'

const TAIL_BYTES = 4096

/**
 * The last words of a log as text that can be stored: whole lines where there are any, broken bytes replaced, NUL
 * removed. Null when it says nothing.
 */
export async function readLogTail(path: string, bytes = TAIL_BYTES): Promise<string | null> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return null
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - bytes)
    const buffer = Buffer.alloc(size - start)
    await file.read(buffer, 0, buffer.length, start)
    return lastWords(buffer, start > 0)
  } finally {
    await file.close()
  }
}

export function lastWords(bytes: Uint8Array, isCut: boolean): string | null {
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '')
  const newline = text.indexOf('\n')
  const whole = isCut && newline !== -1 && newline < text.length - 1 ? text.slice(newline + 1) : text
  return whole.trim() === '' ? null : whole.trim()
}
