/**
 * The two pipes of an agent as the SDK wants them. What the agent prints that is no message is printed on, since many
 * greet or warn on the wrong stream, and updates are handed over as they came: what the SDK does not know of them it
 * would not let through.
 */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Conversing } from '../../processes/spawn.ts'
import { LogLines } from '../stream/log-lines.ts'
import { asObject, objectIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'

/** As much as the SDK itself would take. */
const MESSAGE_BYTES = 32 * 1024 * 1024

/** Time for what was printed before the end to be read. */
const LAST_WORDS_MS = 1_000

export interface Heard {
  readonly onUpdate: (params: Fields) => void
  readonly onText: (line: string) => void
}

export function agentStream({ input, output }: Pick<Conversing, 'input' | 'output'>, heard: Heard): Stream {
  const unread = new Unread()
  return { readable: messagesOf(output, heard, unread), writable: writingTo({ input, output }, unread) }
}

function messagesOf(
  output: Conversing['output'],
  { onUpdate, onText }: Heard,
  unread: Unread,
): ReadableStream<AnyMessage> {
  const lines = new LogLines({ maxBytes: MESSAGE_BYTES })
  let isOver = false
  const read = (text: string | null): AnyMessage | null => {
    const message = text === null ? null : objectIn(text.trim())
    if (message?.['jsonrpc'] !== '2.0') {
      onText(text ?? '(a message of more than 32 MB was left out)')
      return null
    }
    if (message['method'] !== 'session/update' || 'id' in message) return message as AnyMessage
    onUpdate(asObject(message['params']) ?? {})
    return null
  }
  return new ReadableStream<AnyMessage>({
    start: (controller) => {
      const take = (text: string | null): void => {
        const message = read(text)
        if (message === null) return
        unread.take(message)
        controller.enqueue(message)
      }
      const isFull = (): boolean => unread.isTooMuch || (controller.desiredSize ?? 1) <= 0
      const end = (): void => {
        if (isOver) return
        isOver = true
        const last = lines.end()
        if (last !== null) take(last.text)
        controller.close()
      }
      output.on('data', (bytes: Buffer) => {
        if (!isOver) for (const { text } of lines.take(bytes)) if (text !== '') take(text)
        if (isFull()) output.pause()
      })
      unread.onLess = () => void (isFull() || output.resume())
      output.once('end', end).once('close', end).once('error', end)
    },
    pull: () => {
      if (!unread.isTooMuch) output.resume()
    },
    cancel: () => {
      isOver = true
      output.removeAllListeners('data').resume()
    },
  })
}

/** Whoever hears nothing any more may have said why: that is read first, since a failed write ends the reading too. */
const writingTo = (
  { input, output }: Pick<Conversing, 'input' | 'output'>,
  unread: Unread,
): WritableStream<AnyMessage> =>
  new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        unread.begin()
        input.write(`${JSON.stringify(message)}\n`, (error) => {
          unread.end(message)
          if (error) void ended(output).then(() => reject(error))
          else resolve()
        })
      }),
  })

/** So many answers are kept for an agent that asks and does not read them. Until it does, it is not listened to. */
const MOST_UNREAD = 1_000

/**
 * The answers that an agent is still to read. Whether each question gets one is not ours to know: while nothing waits to
 * be written, nothing is unread.
 */
class Unread {
  #questions = 0
  #isWriting = false
  onLess = (): void => {}

  get isTooMuch(): boolean {
    return this.#isWriting && this.#questions >= MOST_UNREAD
  }

  take(message: AnyMessage): void {
    if ('method' in message && 'id' in message) this.#questions += 1
  }

  begin(): void {
    this.#isWriting = true
  }

  end(message: AnyMessage): void {
    this.#isWriting = false
    if (!('method' in message)) this.#questions = Math.max(0, this.#questions - 1)
    // The next one, if there is one, is being written by then.
    setImmediate(() => void (this.isTooMuch || this.onLess()))
  }
}

function ended(output: Conversing['output']): Promise<void> {
  return new Promise((resolve) => {
    if (output.readableEnded || output.destroyed) return resolve()
    const timer = setTimeout(resolve, LAST_WORDS_MS)
    output.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
