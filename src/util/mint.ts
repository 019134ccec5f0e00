/** Where randomness enters: ids and claim tokens are minted here and passed into commands. */
import { createHash, randomBytes } from 'node:crypto'
import { ID_BYTES, attachmentIdFrom, commentIdFrom, runIdFrom, taskIdFrom } from '../core/ids.ts'
import type { AttachmentId, CommentId, RunId, TaskId } from '../core/ids.ts'

export const newTaskId = (): TaskId => taskIdFrom(randomBytes(ID_BYTES))
export const newRunId = (): RunId => runIdFrom(randomBytes(ID_BYTES))
export const newCommentId = (): CommentId => commentIdFrom(randomBytes(ID_BYTES))
export const newAttachmentId = (): AttachmentId => attachmentIdFrom(randomBytes(ID_BYTES))

/** 256 bits nobody can guess; only its hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
