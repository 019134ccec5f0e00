/**
 * Queries on the two trigram indexes. One has titles and bodies, the other comments and results. Each engine has its
 * own kind of index.
 */
import type { Dialect } from '../dialect.ts'
import { sql } from '../sql.ts'
import type { Sql } from '../sql.ts'

/**
 * The maximum number of trigrams in a query. Each trigram costs a search, and further trigrams would exclude few cards.
 */
const MOST_GRAMS = 16

/** Converts only ASCII letters to lower case, as the SQL function `lower` does in both engines. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * A query for the cards that may contain a word. The query finds texts that contain all trigrams of the word, or
 * `MOST_GRAMS` trigrams of a long word. It also finds texts that are too long for the index. Each part of the query
 * returns at most `most` rows, and a card may appear several times. Null means that the index cannot be used.
 */
export function candidatesFor(engine: Dialect['engine'], text: string, most: number): Sql | null {
  // Stored text never contains these characters, and SQLite's index cannot search for them. A text of fewer than three
  // characters has no trigram.
  if (/[\0\uD800-\uDFFF]/u.test(text) || Array.from(text).length < 3) return null
  return engine === 'sqlite' ? inFullTextTable(text, most) : inGramTable(text, most)
}

/** Searches SQLite's full-text table. This table ignores the case of all letters, so the text keeps its case. */
function inFullTextTable(text: string, most: number): Sql {
  const characters = Array.from(text)
  const grams = characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
  const query = spread([...new Set(grams)])
    .map((gram) => `"${gram.replaceAll('"', '""')}"`)
    .join(' AND ')
  return sql`
    select id from task_text where key in (select rowid from task_search where task_search match ${query} limit ${most})
    union all select id from (select id from task_text where is_long = 1 limit ${most})
    union all select task_id from note_text
      where key in (select rowid from note_search where note_search match ${query} limit ${most})
    union all select task_id from (select task_id from note_text where is_long = 1 limit ${most})`
}

function inGramTable(text: string, most: number): Sql {
  const bytes = Buffer.from(foldAscii(text), 'utf8')
  const grams = Array.from({ length: bytes.length - 2 }, (_, at) => bytes.readUIntBE(at, 3))
  const wanted = `{${spread([...new Set(grams)]).join(',')}}`
  return sql`
    select id from cards_with_grams(${wanted}::text::integer[], ${most}::integer)
    union all (select id from task_text where grams is null limit ${most})
    union all select id from notes_with_grams(${wanted}::text::integer[], ${most}::integer)
    union all (select task_id from note_text where grams is null limit ${most})`
}

/** Picks at most `MOST_GRAMS` items, spread evenly over a list. */
function spread<T>(all: readonly T[]): readonly T[] {
  const step = Math.max(1, (all.length - 1) / (MOST_GRAMS - 1))
  const chosen = new Set(Array.from({ length: Math.min(all.length, MOST_GRAMS) }, (_, at) => Math.round(at * step)))
  return all.filter((_, at) => chosen.has(at))
}
