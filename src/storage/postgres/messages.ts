/**
 * Builds messages to the server. The format is at
 * https://www.postgresql.org/docs/current/protocol-message-formats.html. Values are sent as text.
 */
import type { SqlValue } from '../sql.ts'

const ROOM = 16_384
/** The maximum size of a buffer that is kept for the next message. A larger buffer, for a long text, is released. */
const MOST_KEPT = 1_048_576
/** The maximum number of bytes that UTF-8 needs for one UTF-16 code unit. */
const BYTES_PER_UNIT = 3

/** The message that runs the statement whose values were sent last. All its fields are empty. */
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])

/** Collects messages until `take` returns all of them as one buffer. */
export class MessageWriter {
  #bytes = Buffer.allocUnsafe(ROOM)
  #end = 0
  #lengthAt = 0

  /** Prepares a statement and requests the columns that it returns. */
  prepare(name: string, text: string): void {
    this.#begin('P')
    this.#text(name)
    this.#text(text)
    this.#int16(0)
    this.#finish()
    this.#begin('D')
    this.#text(`S${name}`)
    this.#finish()
  }

  execute(name: string, values: readonly SqlValue[]): void {
    this.#begin('B')
    this.#bytes[this.#end++] = 0
    this.#text(name)
    this.#int16(0)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    this.#int16(0)
    this.#finish()
    this.#makeRoom(EXECUTE.length)
    this.#end += EXECUTE.copy(this.#bytes, this.#end)
  }

  /**
   * Ends a batch. The server then sends all answers. After an error, the server skips all messages before this message.
   */
  sync(): void {
    this.#begin('S')
    this.#finish()
  }

  /** Adds statements without values, separated by semicolons, as a separate batch. */
  script(text: string): void {
    this.#begin('Q')
    this.#text(text)
    this.#finish()
  }

  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#end))
    this.#end = 0
    if (this.#bytes.length > MOST_KEPT) this.#bytes = Buffer.allocUnsafe(ROOM)
    return taken
  }

  #begin(type: string): void {
    this.#makeRoom(6)
    this.#bytes[this.#end++] = type.charCodeAt(0)
    this.#lengthAt = this.#end
    this.#end += 4
  }

  #finish(): void {
    this.#bytes.writeInt32BE(this.#end - this.#lengthAt, this.#lengthAt)
  }

  #int16(value: number): void {
    this.#makeRoom(2)
    this.#end = this.#bytes.writeUInt16BE(value, this.#end)
  }

  #int32(value: number): void {
    this.#makeRoom(4)
    this.#end = this.#bytes.writeInt32BE(value, this.#end)
  }

  /** Adds text that ends with a zero byte. */
  #text(text: string): void {
    this.#makeRoom(text.length * BYTES_PER_UNIT + 1)
    this.#end += this.#bytes.write(text, this.#end)
    this.#end = this.#bytes.writeUInt8(0, this.#end)
  }

  /** Adds the length of a value and the value. The length -1 means null. */
  #value(value: SqlValue): void {
    if (value === null) return this.#int32(-1)
    const text = typeof value === 'number' ? String(value) : value
    this.#makeRoom(text.length * BYTES_PER_UNIT + 4)
    const length = this.#bytes.write(text, this.#end + 4)
    this.#end = this.#bytes.writeInt32BE(length, this.#end) + length
  }

  #makeRoom(size: number): void {
    if (this.#end + size <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe((this.#end + size) * 2)
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}
