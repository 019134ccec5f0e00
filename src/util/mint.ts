/** The only source of randomness. It creates the ids and claim tokens that callers pass into commands. */
import { randomBytes } from 'node:crypto'
// oxlint-disable-next-line muster/powers -- a device, which an agent cannot replace
import { closeSync, openSync, readSync } from 'node:fs'
import {
  ID_BYTES,
  attachmentIdFrom,
  commentIdFrom,
  runIdFrom,
  seriesIdFrom,
  taskIdFrom,
  tokenIdFrom,
} from '../core/ids.ts'
import type { AttachmentId, CommentId, RunId, SeriesId, TaskId } from '../core/ids.ts'
import { sha256 } from './sha256.ts'

export const newTaskId = (): TaskId => taskIdFrom(newBytes(ID_BYTES))
export const newRunId = (): RunId => runIdFrom(newBytes(ID_BYTES))
export const newCommentId = (): CommentId => commentIdFrom(newBytes(ID_BYTES))
export const newAttachmentId = (): AttachmentId => attachmentIdFrom(newBytes(ID_BYTES))
export const newTokenId = (): string => tokenIdFrom(newBytes(ID_BYTES))
export const newSeriesId = (): SeriesId => seriesIdFrom(newBytes(ID_BYTES))

/** Reads random bytes from the kernel. Loading the crypto module would take 2 ms, a tenth of the time of a command. */
function newBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count)
  try {
    const source = openSync('/dev/urandom', 'r')
    try {
      if (readSync(source, bytes) === count) return bytes
    } finally {
      closeSync(source)
    }
  } catch {
    // The crypto module works even in a sandbox without devices.
  }
  return randomBytes(count)
}

/** A secret of 256 bits. Only its hash is stored. */
export const newToken = (): string => Buffer.from(newBytes(32)).toString('base64url')
export const hashToken = (token: string): string => sha256(token)
