/**
 * Reads pages of a card's comments and answers, newest page first. A card may have thousands of comments, and in old
 * stores a comment may be a megabyte long.
 */
import type { Comment } from '../core/comment.ts'
import type { CommentId, TaskId } from '../core/ids.ts'
import { COMMENT } from './rows.ts'
import { EMPTY, sql } from './sql.ts'
import type { AnswerPage, CommentPage } from './store.ts'
import { all, first } from './tx.ts'
import type { Asking, Row } from './tx.ts'

const PAGE = 50
/** The maximum number of answers on a page. */
const ANSWERS = 50
/** The maximum size of a page. A page has at least one comment, even if this comment exceeds the limit. */
const PAGE_BYTES = 4 * 1024 * 1024

/** The size of a comment. An answer also stores its question, which may be equally long. */
const SIZE = sql`octet_length(body) + octet_length(coalesce(answer_to, ''))`

export interface CommentsAsked {
  readonly limit?: number
  readonly before?: CommentId
}

/**
 * Reads the page of comments before the comment `before`, or the newest page. Null means that `before` is not a comment
 * of the card.
 */
export function* commentPage(
  board: string,
  task: TaskId,
  { limit = PAGE, before }: CommentsAsked,
): Asking<CommentPage | null> {
  const end = before === undefined ? null : yield* first(commentPosition(board, task, before))
  if (before !== undefined && end === null) return null
  const ofCard = sql`board = ${board} and task_id = ${task} ${end === null ? EMPTY : sql`and seq < ${end.seq ?? 0}`}`
  const sizes = yield* all(
    sql`select seq, ${SIZE} as size from comment where ${ofCard} order by seq desc limit ${limit}`,
  )
  const start = startOfPage(sizes)
  if (start === null) return { comments: [], earlier: 0 }
  const rows = yield* all(
    sql`select ${COMMENT.columns}, number from comment where ${ofCard} and seq >= ${start} order by seq`,
  )
  // Comments are numbered within a card, and no comment is deleted before its card. So the number of the oldest comment
  // on the page gives the number of earlier comments.
  return { comments: rows.map((row) => COMMENT.decode(row)), earlier: Number(rows[0]?.number ?? 1) - 1 }
}

/** Reads the newest comments that have `answerTo`. */
export function* answerPage(board: string, task: TaskId): Asking<AnswerPage> {
  const ofCard = sql`board = ${board} and task_id = ${task} and answer_to is not null`
  const sizes = yield* all(
    sql`select seq, ${SIZE} as size from comment where ${ofCard} order by seq desc limit ${ANSWERS}`,
  )
  const start = startOfPage(sizes)
  if (start === null) return { answers: [], earlier: 0 }
  const rows = yield* all(sql`select ${COMMENT.columns} from comment where ${ofCard} and seq >= ${start} order by seq`)
  const isAll = sizes.length < ANSWERS && Number(sizes.at(-1)?.seq) === start
  const older = isAll
    ? null
    : yield* first(sql`
        select count(*) as count from comment where ${ofCard} and seq < ${start}
          and created_at >= (
            select coalesce(max(ended_at), 0) from run
            where board = ${board} and task_id = ${task} and outcome = 'completed')`)
  return { answers: rows.map((row) => COMMENT.decode(row)), earlier: Number(older?.count ?? 0) }
}

export function* commentById(id: CommentId): Asking<Comment | null> {
  const row = yield* first(sql`select ${COMMENT.columns} from comment where id = ${id}`)
  return row === null ? null : COMMENT.decode(row)
}

const commentPosition = (board: string, task: TaskId, id: CommentId) =>
  sql`select seq from comment where board = ${board} and task_id = ${task} and id = ${id}`

/** The `seq` of the oldest comment that fits on the page. Null means that the card has no comments. */
function startOfPage(newestFirst: readonly Row[]): number | null {
  let start: number | null = null
  let bytes = 0
  for (const { seq, size } of newestFirst) {
    bytes += Number(size)
    if (start !== null && bytes > PAGE_BYTES) break
    start = Number(seq)
  }
  return start
}
