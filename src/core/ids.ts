/**
 * Ids of cards, runs, comments, attachments and series. The caller chooses an id, so that a command sent twice names the
 * same row. Ids use lower-case Crockford base32, so people can read them aloud and select them with a double click. Ten
 * characters hold 50 bits.
 */
declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type TaskId = Branded<'task'>
export type RunId = Branded<'run'>
export type CommentId = Branded<'comment'>
export type AttachmentId = Branded<'attachment'>
export type SeriesId = Branded<'series'>

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
export const ID_BYTES = 10

/** Imported cards keep their ids, so these patterns accept ids that Muster would not create. */
export const TASK_ID = /^t_[0-9a-z]{8,16}$/
export const RUN_ID = /^r_[0-9a-z]{8,16}$/
export const COMMENT_ID = /^c_[0-9a-z]{8,16}$/
export const ATTACHMENT_ID = /^a_[0-9a-z]{8,16}$/
export const TOKEN_ID = /^k_[0-9a-z]{10}$/
export const SERIES_ID = /^s_[0-9a-z]{10}$/
export const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The board that always exists. Cards go to this board if the caller names no board. */
export const DEFAULT_BOARD = 'default'

function tail(random: Uint8Array): string {
  if (random.length < ID_BYTES) throw new RangeError(`an id needs ${ID_BYTES} random bytes, got ${random.length}`)
  let text = ''
  for (const byte of random.subarray(0, ID_BYTES)) text += ALPHABET.charAt(byte & 31)
  return text
}

export const taskIdFrom = (random: Uint8Array): TaskId => `t_${tail(random)}` as TaskId
export const runIdFrom = (random: Uint8Array): RunId => `r_${tail(random)}` as RunId
export const commentIdFrom = (random: Uint8Array): CommentId => `c_${tail(random)}` as CommentId
export const attachmentIdFrom = (random: Uint8Array): AttachmentId => `a_${tail(random)}` as AttachmentId
export const tokenIdFrom = (random: Uint8Array): string => `k_${tail(random)}`
export const seriesIdFrom = (random: Uint8Array): SeriesId => `s_${tail(random)}` as SeriesId

export const isTaskId = (text: string): text is TaskId => TASK_ID.test(text)
export const isRunId = (text: string): text is RunId => RUN_ID.test(text)
export const isSlug = (text: string): boolean => SLUG.test(text)

/** A card id as a person may type it: any prefix with three or more characters after `t_`. */
export const TASK_PREFIX = /^t_[0-9a-z]{3,16}$/

const MENTION = /\bt_[0-9a-hjkmnp-tv-z]{10}\b/g

/** The maximum number of ids to read from a text. A text with more ids is probably a list of cards. */
const MENTIONS_MAX = 100

/** Returns the first card ids that a text mentions, in their order and without duplicates. */
export function mentionedTaskIds(text: string): TaskId[] {
  return [...new Set(text.match(MENTION) ?? [])].slice(0, MENTIONS_MAX) as TaskId[]
}
