/**
 * Finds cards that contain a text. A frequent word is found quickly by reading the list from its start, and a rare word
 * by the trigram index. If an index has the order of the list, the first cards of the list show whether the word is
 * frequent:
 *
 * - page full, or no more cards in the list: done
 * - no match: ask the index. A few candidates are compared; for many candidates, the whole list is read
 * - some matches: read more cards of the list, then ask the index
 *
 * All ways end with the same comparison of texts, so the result is always the same.
 */
import type { Dialect } from './dialect.ts'
import { candidatesFor } from './queries/search.ts'
import { countInHead, hasIndexedOrder, headSize, matchesInHead, tasksOf } from './queries/tasks.ts'
import { valueList, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import type { TaskFilter } from './store.ts'
import { all, first, together } from './tx.ts'
import type { Row, Rows, Tx } from './tx.ts'

/** The number of first cards of the list to read, in the first attempt and in the second. */
const DEPTHS = [1_000, 10_000] as const
/**
 * The limit on candidates of the index. If there are more candidates, reading the list is faster. Among a million
 * cards, a page of 50 is then full after about 25,000 cards.
 */
const MOST_CANDIDATES = 2_000

export class Search {
  readonly #engine: Dialect['engine']
  readonly #board: string
  readonly #filter: TaskFilter & { readonly text: string }
  /**
   * The cards that the index found. Null means that the index cannot be used. Undefined means that the index was not
   * asked yet.
   */
  #candidates: readonly string[] | null | undefined

  constructor(engine: Dialect['engine'], board: string, filter: TaskFilter & { readonly text: string }) {
    this.#engine = engine
    this.#board = board
    this.#filter = filter
  }

  /** The first `limit` matches in a range of the list, or all matches if there is no limit. */
  *matchesIn(range: readonly Sql[], limit: number | undefined): Tx<Rows> {
    const near = limit === undefined || !hasIndexedOrder(this.#filter) ? null : yield* this.#inHead(range, limit)
    if (near !== null) return near
    const page = limit === undefined ? this.#filter : { ...this.#filter, limit }
    const candidates = yield* this.#candidatesOnce()
    if (candidates === null) return yield* all(tasksOf(this.#board, page, range))
    if (candidates.length === 0) return []
    return yield* all(tasksOf(this.#board, page, [...range, sql`id in ${valueList(padded(candidates))}`]))
  }

  /**
   * The number of matches in a range. Without help from the index, only `most` cards are compared; `isExact` is then
   * false if the range has more cards.
   */
  *countIn(range: readonly Sql[], most: number): Tx<{ readonly count: number; readonly isExact: boolean }> {
    const candidates = yield* this.#candidatesOnce()
    if (candidates?.length === 0) return { count: 0, isExact: true }
    const within = candidates === null ? range : [...range, sql`id in ${valueList(padded(candidates))}`]
    const head = { board: this.#board, filter: this.#filter, range: within, depth: most }
    const [counted, size] = yield* together<[Row | null, Row | null]>([
      first(countInHead(head, this.#filter.text)),
      first(headSize({ ...head, depth: most + 1 })),
    ])
    return { count: Number(counted?.n ?? 0), isExact: Number(size?.n ?? 0) <= most }
  }

  /** The matches, if the first cards of the range contain enough matches. Null means that they do not. */
  *#inHead(range: readonly Sql[], limit: number): Tx<Rows | null> {
    for (const depth of DEPTHS) {
      const head = { board: this.#board, filter: this.#filter, range, depth }
      const [found, size] = yield* together<[Rows, Row | null]>([
        all(matchesInHead(head, this.#filter.text, limit)),
        first(headSize(head)),
      ])
      if (found.length === limit || Number(size?.n) < depth) return found
      if (found.length === 0) return null
    }
    return null
  }

  *#candidatesOnce(): Tx<readonly string[] | null> {
    if (this.#candidates !== undefined) return this.#candidates
    const question = candidatesFor(this.#engine, this.#filter.text, MOST_CANDIDATES + 1)
    const rows = question === null ? null : yield* all(question)
    const isFew = rows !== null && rows.length <= MOST_CANDIDATES
    return (this.#candidates = isFew ? [...new Set(rows.map((row) => String(row.id)))] : null)
  }
}

/**
 * Repeats the last value until the length is a power of two. Engines prepare a statement for each list length, so fewer
 * lengths mean fewer statements.
 */
function padded(ids: readonly string[]): readonly string[] {
  const size = 2 ** Math.ceil(Math.log2(ids.length))
  return [...ids, ...Array.from({ length: size - ids.length }, () => ids.at(-1) ?? '')]
}
