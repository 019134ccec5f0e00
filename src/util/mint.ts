/** Where randomness enters: ids and claim tokens are minted here and passed into commands. */
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { ID_BYTES, attachmentIdFrom, commentIdFrom, runIdFrom, taskIdFrom } from '../core/ids.ts'
import type { AttachmentId, CommentId, RunId, TaskId } from '../core/ids.ts'

export const newTaskId = (): TaskId => taskIdFrom(idBytes())
export const newRunId = (): RunId => runIdFrom(idBytes())
export const newCommentId = (): CommentId => commentIdFrom(idBytes())
export const newAttachmentId = (): AttachmentId => attachmentIdFrom(idBytes())

/** From the kernel itself: loading the crypto module takes 2 ms, a tenth of what a command has. */
function idBytes(): Uint8Array {
  const bytes = new Uint8Array(ID_BYTES)
  try {
    const source = openSync('/dev/urandom', 'r')
    try {
      if (readSync(source, bytes) === ID_BYTES) return bytes
    } finally {
      closeSync(source)
    }
  } catch {
    // A jail without devices has the module still.
  }
  return randomBytes(ID_BYTES)
}

/** 256 bits nobody can guess; only its hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
