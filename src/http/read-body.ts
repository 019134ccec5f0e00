/** Reads the body of a request. Its size and depth are limited. */
import type { Context } from 'hono'
import { BoardError } from '../core/errors.ts'
import type { BodyBudget } from './body-budget.ts'

/** The maximum size of a sign-in request. Anybody may send one. */
export const SIGN_IN_BYTES = 4 * 1024
export const JSON_BYTES = 1024 * 1024
/**
 * The maximum size of a request that contains a card's body. The body may have a megabyte, and escaping makes it
 * longer.
 */
export const LARGE_JSON_BYTES = 8 * 1024 * 1024
const DEPTH = 64

interface BodyLimits {
  readonly bodies: BodyBudget
  readonly mostBytes: number
}

export async function readJson(c: Context, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBytes(c, limits)
  if (bytes.length === 0) return {}
  if (!/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new BoardError('media_type', 'The body must be JSON: send Content-Type: application/json.')
  const text = decode(bytes)
  requireShallow(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notJson(error)
  }
}

export async function readBytes({ req }: Pick<Context, 'req'>, { bodies, mostBytes }: BodyLimits): Promise<Uint8Array> {
  const requireSmall = (length: number): void => {
    if (length > mostBytes) throw tooLarge(mostBytes)
  }
  requireSmall(Number(req.header('content-length') ?? 0))
  return bodies.read((req.raw.body ?? []) as AsyncIterable<Uint8Array>, requireSmall)
}

export const tooLarge = (mostBytes: number): BoardError =>
  new BoardError('too_large', `The body may have at most ${mostBytes} bytes.`, { details: { mostBytes } })

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new BoardError('bad_text', 'The body is not valid UTF-8.', { cause })
  }
}

const notJson = (cause: unknown): BoardError =>
  new BoardError('invalid_input', 'The body is not valid JSON.', { details: { field: null }, cause })

/** Refuses deeply nested JSON, because later code calls itself for each level. */
function requireShallow(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at)
    else if (character === OPEN_OBJECT || character === OPEN_ARRAY) depth += 1
    else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) depth -= 1
    if (depth > DEPTH)
      throw new BoardError('invalid_input', `The body is nested more than ${DEPTH} levels deep.`, {
        details: { field: null },
      })
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at += 1
    else if (character === QUOTE) return at
  }
  return text.length
}
