/** Reads an attachment in pieces. The file helper reads the file, because this process may have the store open. */
import type { Attachment } from '../../core/attachment.ts'
import { BoardError } from '../../core/errors.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'

const PIECE = 1024 * 1024

interface StoredFile extends Pick<Attachment, 'board' | 'storedPath'> {
  readonly home: string
}

/** Returns the bytes from `from` up to `to`, but at most one piece. */
export async function attachmentPiece(
  { home, board, storedPath }: StoredFile,
  from: number,
  to: number,
): Promise<Uint8Array> {
  if (from >= to) return new Uint8Array()
  const length = Math.min(PIECE, to - from)
  const bytes = Buffer.from(
    await callFileHelper('readAttachmentPiece', { home, board, storedPath, from, length }),
    'base64',
  )
  if (bytes.length === 0) throw new BoardError('attachment_not_found', 'The file is shorter than when it was attached.')
  return bytes
}

export async function* attachmentPieces(file: StoredFile & Pick<Attachment, 'size'>): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size;) {
    const piece = await attachmentPiece(file, at, file.size)
    at += piece.length
    yield piece
  }
}
