/**
 * Finds cards that contain a text. A frequent word is found by reading the list from its start, a rare one through the
 * trigram index. If an index has the order of the list, the head of the list shows whether the word is frequent:
 *
 *   head of the list → page full, or list at its end: done
 *                    → no match: index → few candidates: compare these
 *                                      → many candidates: read the whole list
 *                    → some matches: a longer head, then the index
 *
 * Every path ends with the same comparison of texts, so all paths give the same result.
 */
import type { Dialect } from './dialect.ts'
import { candidatesFor } from './queries/search.ts'
import { hasIndexedOrder, headSize, matchesInHead, tasksOf } from './queries/tasks.ts'
import { valueList, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import type { TaskFilter } from './store.ts'
import { all, first, together } from './tx.ts'
import type { Row, Rows, Tx } from './tx.ts'

/** The number of cards in the first head, and in the longer one. */
const DEPTHS = [1_000, 10_000] as const
/**
 * With more candidates than this, reading the list is faster. Among a million cards, a page of 50 is then full after
 * about 25,000 cards.
 */
const MOST_CANDIDATES = 2_000

export class Search {
  readonly #engine: Dialect['engine']
  readonly #board: string
  readonly #filter: TaskFilter & { readonly text: string }
  /** Null if the index cannot be used; undefined before the first query. */
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

  /** The matches if the head of the range is enough to find them; null otherwise. */
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
