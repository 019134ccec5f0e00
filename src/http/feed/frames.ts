/** The messages of the feed, in the format of server-sent events. */
import type { BoardEvent } from '../../core/event.ts'

/** The time after which a client reconnects. */
const RECONNECT_MS = 1_000

/** The reason why the events before a cursor are not sent. */
export type ResyncReason =
  /** The store was restored, or the cursor comes from another store. */
  | 'restored'
  /** The events after the cursor were deleted. */
  | 'trimmed'
  /** The client reads too slowly. The connection ends, and the client may continue after its last event. */
  | 'slow'

export interface RunOutput {
  readonly board: string
  readonly taskId: string
  readonly runId: string
  /** The last line that the agent printed. If the agent printed nothing, its last note. */
  readonly line: string
}

const utf8 = new TextEncoder()

/** Formats a message. JSON is always one line, because it escapes the line breaks in strings. */
const message = (fields: readonly string[], data: object): Uint8Array =>
  utf8.encode(`${fields.map((field) => `${field}\n`).join('')}data: ${JSON.stringify(data)}\n\n`)

/**
 * The first message. Its id is the cursor where the client starts, so a client that reconnects before the first event
 * misses nothing.
 */
export const helloFrame = (cursor: string): Uint8Array =>
  message([`retry: ${RECONNECT_MS}`, 'event: hello', `id: ${cursor}`], { kind: 'hello', cursor })

export const eventFrame = (event: BoardEvent, cursor: string): Uint8Array =>
  message([`id: ${cursor}`], { ...event, cursor })

/**
 * The message that asks the client to read the board again. A slow client keeps its `Last-Event-ID`, so that it can
 * continue after the last event that it received.
 */
export const resyncFrame = (cursor: string, reason: ResyncReason): Uint8Array =>
  message(['event: resync', ...(reason === 'slow' ? [] : [`id: ${cursor}`])], { kind: 'resync', cursor, reason })

/** The message about new output. The message has no id, because output is not stored and cannot be sent again. */
export const outputFrame = (output: RunOutput): Uint8Array =>
  message(['event: run_output'], { kind: 'run_output', ...output })

/**
 * The heartbeat. Its id moves the client past events that its filter hides. A message without data triggers no event in
 * the client.
 */
export const heartbeatFrame = (cursor: string): Uint8Array => utf8.encode(`: heartbeat\nid: ${cursor}\n\n`)
