/** Reads a part of an attachment. Only the file helper runs this code. */
import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import { open } from '../../util/guarded-files.ts'
import { attachmentPath } from './attachment-files.ts'

export interface AttachmentPiece {
  readonly home: string
  readonly board: string
  readonly storedPath: string
  readonly from: number
  readonly length: number
}

/** Returns the bytes as base64, because the helper answers in JSON. */
export async function readAttachmentPiece({ home, board, storedPath, from, length }: AttachmentPiece): Promise<string> {
  const path = await containedPath(home, { board, storedPath })
  const handle = await open(path, 'r').catch((cause: unknown) => {
    throw missing(storedPath, cause)
  })
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, from)
    return buffer.subarray(0, bytesRead).toString('base64')
  } finally {
    await handle.close()
  }
}

/**
 * An agent may have replaced the attachment with a link. So the real path must be in the board's attachments folder.
 */
async function containedPath(home: string, row: Pick<AttachmentPiece, 'board' | 'storedPath'>): Promise<string> {
  const path = attachmentPath(home, row)
  if (path === null) throw missing(row.storedPath, null)
  try {
    const [real, root] = await Promise.all([realpath(path), realpath(inHome.attachments(home, row.board))])
    if (real.startsWith(`${root}${sep}`)) return real
  } catch (cause) {
    throw missing(row.storedPath, cause)
  }
  throw missing(row.storedPath, null)
}

const missing = (storedPath: string, cause: unknown): BoardError =>
  new BoardError('attachment_not_found', `The file ${storedPath} is missing.`, { details: { storedPath }, cause })
