import { LogReader, tailPlace } from '../../runs/log/read-log.ts'
import type { LogTail } from '../../runs/log/read-log.ts'

export interface LogTexts {
  /** The next piece of text, or null if there is nothing more for now. */
  next(): Promise<string | null>
  /** The rest of an incomplete character. */
  end(): string
  /** Whether output was left out at the start or in the middle. */
  isCut(): boolean
}

/** Reads a log as text. It joins characters that are split between two reads, and replaces invalid bytes. */
export async function logTexts(path: string, tail?: LogTail): Promise<LogTexts> {
  const place = tail === undefined ? 0 : await tailPlace(path, tail)
  const reader = new LogReader(path, place)
  let decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let isCut = place > 0
  const end = (): string => {
    const rest = decoder.decode()
    decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    return rest
  }
  return {
    next: async () => {
      const piece = await reader.next()
      if (piece === null) return null
      if (piece.omitted === 0) return decoder.decode(piece.bytes, { stream: true })
      isCut = true
      return `${end()}\n[… ${piece.omitted} bytes left out …]\n`
    },
    end,
    isCut: () => isCut,
  }
}
