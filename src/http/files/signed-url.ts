/**
 * Signed URLs allow one download for a minute without a token. A browser needs them, because it sends no header when it
 * follows a link.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { BoardError } from '../../core/errors.ts'
import type { Attachment } from '../../core/attachment.ts'

const LIFE_MS = 60_000

export interface SignedUrl {
  /** The URL, relative to the server. */
  readonly url: string
  readonly expiresAt: number
}

export function sign(key: string, { taskId, id }: Pick<Attachment, 'taskId' | 'id'>, now: number): SignedUrl {
  const until = String(now + LIFE_MS)
  const signature = signatureOf(key, [taskId, id, until])
  return { url: `/files/${taskId}/${id}?until=${until}&signature=${signature}`, expiresAt: now + LIFE_MS }
}

interface SignedParts {
  readonly task: string
  readonly file: string
  readonly until: string
  readonly signature: string
}

export function requireSignature(key: string, { task, file, until, signature }: SignedParts, now: number): void {
  const [wanted, found] = [Buffer.from(signatureOf(key, [task, file, until])), Buffer.from(signature)]
  if (wanted.length === found.length && timingSafeEqual(wanted, found) && Number(until) > now) return
  throw new BoardError(
    'sign_in_required',
    'The link of this download is not valid any more. Open the file again from its card.',
  )
}

const signatureOf = (key: string, parts: readonly string[]): string =>
  createHmac('sha256', key).update(parts.join('\n')).digest('base64url')
