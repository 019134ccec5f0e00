/** Follows events through the live feed of a server, which reconnects after the last event. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ClientError } from '../../client/index.ts'
import type { Client, FeedConnection, FeedFilter } from '../../client/index.ts'
import { BoardError } from '../../core/errors.ts'
import { waitsForLog } from '../../operations/runs/log-wait.ts'
import type { StreamContext } from '../../operations/shared/operation.ts'
import { definedOnly } from '../../util/objects.ts'

export type RemoteListeners = Pick<StreamContext, 'signal' | 'onTrouble' | 'onWait'>

export interface RemotePlace {
  readonly client: Client
  readonly board: string | null
  readonly explain: (error: unknown) => Promise<unknown>
}

interface FollowInput {
  readonly task?: string
  readonly since?: string
  readonly all?: boolean
  readonly follow?: boolean
  readonly assignee?: string
  readonly tenant?: string
  readonly kinds?: FeedFilter['kinds']
}

/** Yields the events of one board, or of all boards. */
export async function* followEvents(
  place: RemotePlace,
  { since, all = false, ...filter }: FollowInput,
  listeners: RemoteListeners,
): AsyncGenerator<object> {
  const board = all ? undefined : (place.board ?? (await currentBoard(place.client)))
  yield* feed(place, { ...filter, board, ...(since !== undefined && { after: since }) }, listeners)
}

/** Yields the past events of a card, and then its new events. */
export async function* tailCard(
  place: RemotePlace,
  { task = '', since, follow = true }: FollowInput,
  listeners: RemoteListeners,
): AsyncGenerator<object> {
  const { signal } = listeners
  let after = since
  const past = place.client.tail({ task, follow: false, ...(since !== undefined && { since }) }, { signal })
  for await (const event of past) {
    after = event.cursor
    yield event
  }
  if (follow) yield* feed(place, { task, ...(after !== undefined && { after }) }, listeners)
}

export async function currentBoard(client: Client): Promise<string> {
  const boards = await client.boardsList()
  const current = boards.find(({ isCurrent }) => isCurrent)
  if (current !== undefined) return current.slug
  throw new BoardError('board_not_found', 'The server has no current board. Add --board <name>.')
}

async function* feed(
  { client, explain }: RemotePlace,
  filter: FeedFilter,
  { signal, onTrouble }: RemoteListeners,
): AsyncGenerator<object> {
  // The first request shows whether the server can be used. Later failures are retried.
  await client.session()
  const onConnection = (connection: FeedConnection): void => {
    if (connection.state === 'open') onTrouble?.(null)
    if (connection.state === 'waiting' && connection.error !== null) void report(connection.error)
  }
  const report = async (error: ClientError): Promise<void> => {
    const explained = await explain(error)
    if (explained instanceof BoardError) onTrouble?.(explained)
  }
  for await (const message of client.events(filter, { signal, onConnection })) {
    if (message.type === 'event') yield { ...message.event, cursor: message.cursor }
    else if (message.type === 'resync') yield { kind: 'resync', cursor: message.cursor }
  }
}

/** How long a stream may take to send its first value before the client checks why it is silent. */
const FIRST_MS = 500

/**
 * If a card has no run yet, the server's stream waits without a message. So this function also requests the log, which
 * reports that case.
 */
export async function* noticeMissingLog<Value>(
  { client }: RemotePlace,
  { input, values }: { readonly input: LogInput; readonly values: AsyncGenerator<Value> },
  { onWait, signal }: RemoteListeners,
): AsyncGenerator<Value> {
  const first = values.next()
  // The error is reported by the code below.
  first.catch(() => {})
  const { task, run, supervisor } = input
  const asked = { task, ...definedOnly({ run, supervisor }) }
  const isLate = await Promise.race([
    first.then(
      () => false,
      () => false,
    ),
    sleep(FIRST_MS, true, { ref: false }),
  ])
  if (isLate) await client.log({ ...asked, tail: { lines: 0 } }, { signal }).catch((error: unknown) => report(error))
  const next = await first
  if (next.done !== true) yield next.value
  yield* values

  function report(error: unknown): void {
    if (error instanceof ClientError && error.code === 'run_not_found')
      onWait?.(waitsForLog(error.message, error.detail('id') ?? task))
  }
}

interface LogInput {
  readonly task: string
  readonly run?: string
  readonly supervisor?: boolean
}
