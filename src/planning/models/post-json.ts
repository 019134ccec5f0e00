/**
 * Posts JSON and reads the whole reply. It does not follow redirects, so a key never reaches another host. It does not
 * use `fetch`, because `fetch` gives up on a silent server after five minutes, whatever the timeout is.
 */
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { systemReason } from '../../util/system-errors.ts'

export type PostResult =
  | { readonly status: number; readonly location: string | null; readonly body: string }
  /** Why no reply was read: `timeout`, `too_large`, or the connection error. */
  | { readonly fault: string }

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The maximum size of a reply. A plan of twelve cards takes only some kilobytes. */
const MAX_BYTES = 1024 * 1024

export async function postJson(url: string, body: object, options: PostOptions): Promise<PostResult> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), options.timeoutMs)
  const signal = AbortSignal.any([options.signal, timeout.signal])
  try {
    return await exchange(url, JSON.stringify(body), { headers: options.headers, signal })
  } catch (error) {
    options.signal.throwIfAborted()
    return { fault: timeout.signal.aborted ? 'timeout' : reasonOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the reason of an error. If a host has several addresses and all refuse the connection, Node's message is
 * empty.
 */
const reasonOf = (error: unknown): string => {
  const { code } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  return systemReason(error) || (code ?? 'no connection')
}

function exchange(
  url: string,
  text: string,
  { headers, signal }: Pick<PostOptions, 'headers' | 'signal'>,
): Promise<PostResult> {
  const start = url.startsWith('https:') ? requestHttps : requestHttp
  const length = String(Buffer.byteLength(text))
  return new Promise((resolve, reject) => {
    const request = start(
      url,
      {
        method: 'POST',
        agent: false,
        signal,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': length,
          accept: 'application/json',
        },
      },
      (response) => void readReply(response).then(resolve, reject),
    )
    request.on('error', reject)
    request.end(text)
  })
}

async function readReply(response: IncomingMessage): Promise<PostResult> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_BYTES) {
      response.destroy()
      return { fault: 'too_large' }
    }
    pieces.push(piece)
  }
  const body = Buffer.concat(pieces).toString('utf8')
  return { status: response.statusCode ?? 0, location: response.headers.location ?? null, body }
}
