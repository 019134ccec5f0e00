/**
 * Turns the agent's input and output into the SDK's stream of messages. Other output is passed on as text, because many
 * agents print greetings and warnings. Session updates do not go through the SDK, which would drop unknown updates.
 */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { InteractiveProcess } from '../../processes/spawn.ts'
import { LogLines } from '../stream/log-lines.ts'
import { asObject, objectIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'

/** The maximum size of a message, as in the SDK. */
const MESSAGE_BYTES = 32 * 1024 * 1024

/** The time to keep reading after a failed write. */
const READ_ON_MS = 1_000

export interface OutputHandlers {
  readonly onUpdate: (params: Fields) => void
  readonly onText: (line: string) => void
}

type Pipes = Pick<InteractiveProcess, 'input' | 'output'>

export function agentStream({ input, output }: Pipes, handlers: OutputHandlers): Stream {
  const backlog = new AnswerBacklog()
  return {
    readable: new ReadableStream(new MessageSource(output, handlers, backlog)),
    writable: writeMessages({ input, output }, backlog),
  }
}

/**
 * Reads messages from the agent's output. The output is paused while the SDK has unread messages or the agent has too
 * many unread answers.
 */
class MessageSource {
  readonly #output: InteractiveProcess['output']
  readonly #handlers: OutputHandlers
  readonly #backlog: AnswerBacklog
  readonly #lines = new LogLines({ maxBytes: MESSAGE_BYTES })
  #isOver = false

  constructor(output: InteractiveProcess['output'], handlers: OutputHandlers, backlog: AnswerBacklog) {
    this.#output = output
    this.#handlers = handlers
    this.#backlog = backlog
  }

  start(controller: ReadableStreamDefaultController<AnyMessage>): void {
    const isFull = (): boolean => this.#backlog.isFull || (controller.desiredSize ?? 1) <= 0
    const end = (): void => this.#end(controller)
    this.#output.on('data', (bytes: Buffer) => {
      this.#take(bytes, controller)
      if (isFull()) this.#output.pause()
    })
    this.#backlog.onDrain = () => void (isFull() || this.#output.resume())
    this.#output.once('end', end).once('close', end).once('error', end)
  }

  pull(): void {
    if (!this.#backlog.isFull) this.#output.resume()
  }

  cancel(): void {
    this.#isOver = true
    this.#output.removeAllListeners('data').resume()
  }

  #take(bytes: Buffer, controller: ReadableStreamDefaultController<AnyMessage>): void {
    if (this.#isOver) return
    for (const { text } of this.#lines.take(bytes)) if (text !== '') this.#deliver(text, controller)
  }

  #end(controller: ReadableStreamDefaultController<AnyMessage>): void {
    if (this.#isOver) return
    this.#isOver = true
    const last = this.#lines.end()
    if (last !== null) this.#deliver(last.text, controller)
    controller.close()
  }

  /** Handles a line of output. `text` is null if the line is too long. */
  #deliver(text: string | null, controller: ReadableStreamDefaultController<AnyMessage>): void {
    const message = text === null ? null : objectIn(text.trim())
    if (message?.['jsonrpc'] !== '2.0') {
      this.#handlers.onText(text ?? '(a message of more than 32 MB was left out)')
    } else if (message['method'] === 'session/update' && !('id' in message)) {
      this.#handlers.onUpdate(asObject(message['params']) ?? {})
    } else {
      this.#backlog.received(message as AnyMessage)
      controller.enqueue(message as AnyMessage)
    }
  }
}

/**
 * Writes messages to the agent. A failed write is reported only after the agent's last output was read. The SDK stops
 * reading after such a failure, but the output may explain it.
 */
const writeMessages = ({ input, output }: Pipes, backlog: AnswerBacklog): WritableStream<AnyMessage> =>
  new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        backlog.writing()
        input.write(`${JSON.stringify(message)}\n`, (error) => {
          backlog.written(message)
          if (error) void ended(output).then(() => reject(error))
          else resolve()
        })
      }),
  })

/**
 * The maximum number of answers that the agent has not read yet. When this number is reached, the agent's output is no
 * longer read.
 */
const MAX_UNREAD = 1_000

/**
 * Counts the agent's requests whose answers are not written yet. They count as a backlog only while a write is pending,
 * because otherwise the agent is still reading its input.
 */
class AnswerBacklog {
  #requests = 0
  #isWriting = false
  onDrain = (): void => {}

  get isFull(): boolean {
    return this.#isWriting && this.#requests >= MAX_UNREAD
  }

  received(message: AnyMessage): void {
    if ('method' in message && 'id' in message) this.#requests += 1
  }

  writing(): void {
    this.#isWriting = true
  }

  written(message: AnyMessage): void {
    this.#isWriting = false
    if (!('method' in message)) this.#requests = Math.max(0, this.#requests - 1)
    // The check happens a moment later, because the next write may start right after this write.
    setImmediate(() => void (this.isFull || this.onDrain()))
  }
}

function ended(output: InteractiveProcess['output']): Promise<void> {
  return new Promise((resolve) => {
    if (output.readableEnded || output.destroyed) return resolve()
    const timer = setTimeout(resolve, READ_ON_MS)
    output.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
