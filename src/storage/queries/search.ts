/** Queries on the trigram indexes: of titles and bodies, and of comments and results. Each engine has its own kind of index. */
import type { Dialect } from '../dialect.ts'
import { sql } from '../sql.ts'
import type { Sql } from '../sql.ts'

/** The maximum number of trigrams in a query. Each one costs a look-up, and more would exclude few more cards. */
const MOST_GRAMS = 16

/** Both engines' `lower` folds only ASCII, so the searched text must be folded in the same way. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * A query for the cards that may contain a word. Each of these cards has a text with all trigrams of the word (at most
 * `MOST_GRAMS` are checked), or a text that is too long for the index. Each part of the query returns at most `most`
 * rows, and a card may appear several times. Null if the index cannot be used for the word.
 */
export function candidatesFor(engine: Dialect['engine'], text: string, most: number): Sql | null {
  // No card contains these characters, and a query of SQLite's index must not contain them. A text of fewer than three
  // characters has no trigram.
  if (/[\0\uD800-\uDFFF]/u.test(text) || Array.from(text).length < 3) return null
  return engine === 'sqlite' ? inFullTextTable(text, most) : inGramTable(text, most)
}

/**
 * SQLite's full-text table ignores case for all letters, in the query and in the texts, so the query is not folded
 * here.
 */
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

/** At most `MOST_GRAMS` items of a list, spread evenly over it. */
function spread<T>(all: readonly T[]): readonly T[] {
  const step = Math.max(1, (all.length - 1) / (MOST_GRAMS - 1))
  const chosen = new Set(Array.from({ length: Math.min(all.length, MOST_GRAMS) }, (_, at) => Math.round(at * step)))
  return all.filter((_, at) => chosen.has(at))
}
