/**
 * Finds the rows of a transcript that contain a text; upper and lower case are equal. Texts that are not in memory are
 * read from the log.
 */
import type { Row, RowContent } from '../../harnesses/stream/transcript-rows.ts'
import type { TranscriptLog } from './transcript-log.ts'

/** The maximum number of matches. This is more than a person steps through. */
const MATCHES_MAX = 5_000
const ROWS_AT_ONCE = 1_000

/**
 * Returns the positions of the matching rows. A position is an index into `shown`, the numbers of the rows that the
 * filter shows.
 */
export async function findRows(log: TranscriptLog, shown: readonly number[], find: string): Promise<readonly number[]> {
  const needle = find.toLowerCase()
  const has = (text: string): boolean => text.toLowerCase().includes(needle)
  const matches: number[] = []
  for (let from = 0; from < shown.length && matches.length < MATCHES_MAX; from += ROWS_AT_ONCE) {
    const rows = await log.read(shown.slice(from, from + ROWS_AT_ONCE))
    for (const [at, row] of rows.entries()) if (await isMatch(log, row, has)) matches.push(from + at)
  }
  return matches.slice(0, MATCHES_MAX)
}

async function isMatch(
  log: TranscriptLog,
  { n, content, texts }: Row & { readonly n: number },
  has: (text: string) => boolean,
): Promise<boolean> {
  if (knownTexts(content).some(has)) return true
  if (content.kind === 'output' && !content.text.isWhole && has((await log.textOf(n, 'text')) ?? '')) return true
  for (const text of Object.values(texts)) if (has(await log.readText(text))) return true
  return false
}

/** The texts of a row that are always in memory. */
function knownTexts(content: RowContent): readonly string[] {
  switch (content.kind) {
    case 'call':
      return [content.tool, content.title, ...(content.edit?.lines ?? []).map(({ text }) => text)]
    case 'output':
      return [content.text.text]
    case 'changed':
      return [content.path, ...(content.edit?.lines ?? []).map(({ text }) => text)]
    case 'note':
      return [content.text]
    case 'waits':
    case 'failed':
      return [content.message]
    case 'event':
      return Object.values(content.event.data).filter((value) => typeof value === 'string')
    default:
      return []
  }
}
