/** Reads the graph of linked cards around one card, or around the first open cards of a board. */
import type { TaskId } from '../core/ids.ts'
import { isSatisfied } from '../core/status.ts'
import { STATUSES } from '../core/vocabulary.ts'
import { linksOf, listedById } from './queries/links.ts'
import { columnIds } from './queries/columns.ts'
import { LISTED_TASK } from './rows.ts'
import { chunks } from './sql.ts'
import type { CardLink, LinkedCards, LinkedCardsQuery } from './store.ts'
import { all, askAll } from './tx.ts'
import type { Asking, Row } from './tx.ts'

/** The number of cards of each status from which the graph of a board starts. */
const STARTS = 50

/** The maximum number of links that one step reads. A card may have thousands of children. */
const LINKS_PER_STEP = 2_000

export function* linkedCards({ board, task, most }: LinkedCardsQuery): Asking<LinkedCards> {
  const starts = task === null ? yield* openCards(board) : [task]
  const found = new Set<TaskId>(task === null ? [] : [task])
  const links = new Map<string, CardLink>()
  let isCut = false
  let next = starts
  while (next.length > 0 && !isCut) {
    const step = yield* linksAround(board, next)
    isCut = step.length >= LINKS_PER_STEP
    const neighbours: TaskId[] = []
    for (const link of step) {
      const added = [link.parent, link.child].filter((id) => !found.has(id))
      if (found.size + added.length > most) {
        isCut = true
        break
      }
      links.set(`${link.parent} ${link.child}`, link)
      for (const id of added) {
        found.add(id)
        if (!next.includes(id)) neighbours.push(id)
      }
    }
    next = neighbours
  }
  const answers = yield* askAll([...chunks([...found])].map((ids) => listedById(board, ids)))
  const cards = answers.flat().map((row) => LISTED_TASK.decode(row))
  const present = new Set(cards.map(({ id }) => id))
  return {
    cards,
    links: [...links.keys()].sort().flatMap((key) => {
      const link = links.get(key)
      return link !== undefined && present.has(link.parent) && present.has(link.child) ? [link] : []
    }),
    isCut,
  }
}

/** The first cards of each column with unfinished cards. */
function* openCards(board: string): Asking<readonly TaskId[]> {
  const open = STATUSES.filter((status) => !isSatisfied(status))
  const answers = yield* askAll(open.map((status) => columnIds({ board, status, since: 0 }, STARTS)))
  return answers.flat().map((row) => row.id as TaskId)
}

function* linksAround(board: string, ids: readonly TaskId[]): Asking<readonly CardLink[]> {
  const links: Row[] = []
  for (const some of chunks(ids)) links.push(...(yield* all(linksOf(board, some, LINKS_PER_STEP - links.length))))
  return links.map((row) => ({
    parent: row.parent_id as TaskId,
    child: row.child_id as TaskId,
    isWaived: row.waived_by !== null,
  }))
}
