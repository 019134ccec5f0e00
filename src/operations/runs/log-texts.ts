import { LogReader, tailPlace } from '../../runs/log/read-log.ts'
import type { LogTail } from '../../runs/log/read-log.ts'

export interface LogTexts {
  /** Returns the next piece of text. Null means that no new text exists at the moment. */
  next(): Promise<string | null>
  /** Returns the bytes of an incomplete character at the end, as text. */
  end(): string
  /** Whether output is missing at the start or in the middle of the log. */
  isCut(): boolean
}

/** Reads a log as text. Characters that are split between two reads are joined, and invalid bytes are replaced. */
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
