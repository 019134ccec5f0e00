import { LogReader, tailPlace } from '../../runs/log/read-log.ts'
import type { LogTail } from '../../runs/log/read-log.ts'

export interface LogTexts {
  /** What comes next as text; null when that is all for now. */
  next(): Promise<string | null>
  /** What is left of a character that was never finished. */
  end(): string
  /** Whether something in front or in between was not given. */
  isCut(): boolean
}

/** A log as text: a character that was cut in two by the reading is put together, broken bytes are replaced. */
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
