/** Reads server-sent events from a response. */
import { readLines } from './read-lines.ts'

export interface ServerMessage {
  readonly event: string | null
  readonly id: string | null
  /** The wait before a reconnect, in milliseconds. */
  readonly retry: number | null
  readonly data: string | null
}

/** Yields each message. A message without data is yielded too, because its id moves the reader past hidden events. */
export async function* readMessages(response: Response, onBytes: () => void): AsyncGenerator<ServerMessage> {
  let block: string[] = []
  for await (const line of readLines(response, onBytes)) {
    const text = line.replace(/\r$/, '')
    if (text !== '') block.push(text)
    else if (block.length > 0) {
      yield messageIn(block)
      block = []
    }
  }
}

function messageIn(lines: readonly string[]): ServerMessage {
  const fields = new Map<string, string[]>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    fields.set(name, [...(fields.get(name) ?? []), value])
  }
  const retry = Number(fields.get('retry')?.at(-1))
  return {
    event: fields.get('event')?.at(-1) ?? null,
    id: fields.get('id')?.at(-1) ?? null,
    retry: Number.isFinite(retry) ? retry : null,
    data: fields.get('data')?.join('\n') ?? null,
  }
}
