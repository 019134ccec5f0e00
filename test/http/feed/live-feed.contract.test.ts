import { expect, it, onTestFinished, vi } from 'vitest'
import { openLiveFeed } from '../../../src/http/feed/live-feed.ts'
import type { FeedLimits } from '../../../src/http/feed/live-feed.ts'
import type { Store } from '../../../src/storage/store.ts'
import { overlay } from '../../../src/util/objects.ts'
import { readFeed } from '../../helpers/feed-reader.ts'
import type { FeedMessage, FeedReader } from '../../helpers/feed-reader.ts'
import { card, commentOf } from '../../helpers/sample.ts'
import { describeStores } from '../../helpers/stores.ts'
import { Desk } from '../../storage/desk.ts'

interface Connect {
  (query?: string, lastEventId?: string): Promise<FeedReader>
}

/** Opens the feed of a store, and a function that connects clients to the feed. */
function openFeed(store: Store, limits: Partial<FeedLimits> = {}) {
  const feed = openLiveFeed(store, limits)
  onTestFinished(() => feed.stop())
  const respond = (query = '', lastEventId?: string): Promise<Response> => {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    return feed.respond(new Request(`http://localhost/api/events${query}`, { headers }))
  }
  const connect: Connect = async (...request) => readFeed(await respond(...request))
  return { feed, respond, connect }
}

const kindsOf = (messages: readonly FeedMessage[]): unknown[] => messages.map(({ data }) => data['kind'])
const isKind =
  (kind: string) =>
  ({ data }: FeedMessage): boolean =>
    data['kind'] === kind
const cursorOf = async (store: Store): Promise<string> => (await store.feed(null)).cursor

describeStores('the live feed', (open) => {
  it('a client gets new events with the cursor that continues after them', async () => {
    const desk = await Desk.open(await open())
    const { connect } = openFeed(desk.store)
    const reader = await connect()
    expect(await reader.next()).toEqual({
      event: 'hello',
      id: await cursorOf(desk.store),
      data: { kind: 'hello', cursor: await cursorOf(desk.store) },
    })
    await desk.card('a')
    const message = await reader.next()
    const cursor = await cursorOf(desk.store)
    expect(message).toMatchObject({
      event: 'message',
      id: cursor,
      data: { kind: 'created', board: 'main', taskId: card('a'), cursor, actor: 'ada' },
    })
  })

  it('a client that reconnects gets the events that it missed, and then new ones', async () => {
    const desk = await Desk.open(await open())
    const { connect } = openFeed(desk.store)
    const first = await connect()
    await first.next()
    await first.cancel()
    for (const at of [1, 2, 3]) await desk.card(at)
    const second = await connect('', first.lastEventId)
    const replayed = await second.until(({ data }) => data['taskId'] === card(3))
    expect(kindsOf(replayed)).toEqual(['hello', 'created', 'created', 'created'])
    await desk.ok('hold', { task: card(1) })
    expect(await second.next()).toMatchObject({ data: { kind: 'held' } })
  })

  it('Last-Event-ID takes precedence over the cursor in the URL', async () => {
    const desk = await Desk.open(await open())
    const { connect } = openFeed(desk.store)
    const start = await cursorOf(desk.store)
    await desk.card('a')
    const later = await cursorOf(desk.store)
    await desk.card('b')
    const byAddress = await connect(`?after=${start}`)
    expect(await byAddress.nextEvent()).toMatchObject({ data: { taskId: card('a') } })
    const byHeader = await connect(`?after=${start}`, later)
    expect(await byHeader.nextEvent()).toMatchObject({ data: { taskId: card('b') } })
  })

  it('a filter hides other events, both past and new ones', async () => {
    const desk = await Desk.open(await open())
    const side = new Desk(desk.test, 'side')
    await side.ok('create_board', { slug: 'side' })
    const { connect } = openFeed(desk.store)
    await desk.card('a')
    const start = await cursorOf(desk.store)
    const readers = await Promise.all(
      ['board=side', `task=${card('a')}`, 'kinds=held,released', 'assignee=writer'].map((filter) =>
        connect(`?after=${start}&${filter}`),
      ),
    )
    const write = async (letters: readonly [string, string, string]) => {
      if (letters[0] !== 'a') await desk.card(letters[0])
      await desk.card(letters[1], { assignee: 'writer' })
      await side.card(letters[2])
      await desk.ok('hold', { task: card(letters[0]) })
    }
    await write(['a', 'b', 'c'])
    const seen = async (reader: FeedReader, count: number): Promise<readonly string[]> => {
      const messages: string[] = []
      while (messages.length < count) {
        const message = await reader.nextEvent()
        messages.push(`${String(message?.data['kind'])} ${String(message?.data['taskId'])}`)
      }
      return messages
    }
    const [onBoard, ofCard, ofKind, ofAgent] = readers as [FeedReader, FeedReader, FeedReader, FeedReader]
    expect(await seen(onBoard, 1)).toEqual([`created ${card('c')}`])
    expect(await seen(ofCard, 1)).toEqual([`held ${card('a')}`])
    expect(await seen(ofKind, 1)).toEqual([`held ${card('a')}`])
    expect(await seen(ofAgent, 1)).toEqual([`created ${card('b')}`])
    await write(['d', 'e', 'f'])
    await desk.ok('release', { task: card('a') })
    expect(await seen(onBoard, 1)).toEqual([`created ${card('f')}`])
    expect(await seen(ofCard, 1)).toEqual([`released ${card('a')}`])
    expect(await seen(ofKind, 2)).toEqual([`held ${card('d')}`, `released ${card('a')}`])
    expect(await seen(ofAgent, 1)).toEqual([`created ${card('e')}`])
  })

  it('a heartbeat moves the cursor of a client whose filter hides every event', async () => {
    const desk = await Desk.open(await open())
    const { connect } = openFeed(desk.store, { heartbeatMs: 5 })
    const reader = await connect('?kinds=held')
    await desk.card('a')
    const cursor = await cursorOf(desk.store)
    const held = reader.until(isKind('held'))
    await expect.poll(() => reader.lastEventId).toBe(cursor)
    expect(reader.heartbeats).toBeGreaterThan(0)
    await desk.ok('hold', { task: card('a') })
    expect(kindsOf(await held)).toEqual(['hello', 'held'])
  })

  it('a cursor from before a restore causes a resync', async () => {
    const desk = await Desk.open(await open())
    const { connect } = openFeed(desk.store)
    const past = await cursorOf(desk.store)
    const live = await connect()
    await live.next()
    await desk.test.raw(`update meta set value = 'abcdef' where key = 'epoch'`)
    await desk.card('a')
    const cursor = await cursorOf(desk.store)
    const resync = { event: 'resync', id: cursor, data: { kind: 'resync', cursor, reason: 'restored' } }
    expect(await live.next()).toEqual(resync)
    const late = await connect('', past)
    expect(await late.nextEvent()).toEqual(resync)
    await desk.card('b')
    for (const reader of [live, late]) expect(await reader.next()).toMatchObject({ data: { taskId: card('b') } })
  })

  it('a cursor before the deleted events causes a resync', async () => {
    const desk = await Desk.open(await open())
    const { connect } = openFeed(desk.store)
    const past = await cursorOf(desk.store)
    await desk.card('a')
    const cursor = await cursorOf(desk.store)
    await desk.test.raw(`update meta set value = '${cursor.split(':')[1]}' where key = 'floor'`)
    const reader = await connect(`?after=${past}`)
    expect(await reader.nextEvent()).toMatchObject({ event: 'resync', id: cursor, data: { reason: 'trimmed' } })
  })

  it('a slow client is disconnected, and can continue after its last event', async () => {
    const desk = await Desk.open(await open())
    const { feed, connect } = openFeed(desk.store, { queueBytes: 2_000, heartbeatMs: 5 })
    const [slow, quick] = await Promise.all([connect(), connect()])
    const created = Promise.all([slow.until(isKind('created')), quick.until(isKind('created'))])
    // A client gets heartbeats only when it has all events of the past.
    await expect.poll(() => Math.min(slow.heartbeats, quick.heartbeats)).toBeGreaterThan(0)
    await desk.card('a')
    await created
    const sent: unknown[] = []
    while (feed.clients === 2) {
      await desk.ok('comment', { task: card('a'), id: commentOf(sent.length), body: 'A comment.' })
      sent.push((await quick.next())?.id)
    }
    const rest = []
    for (let message = await slow.next(); message !== null; message = await slow.next()) rest.push(message)
    expect(rest).toMatchObject([{ event: 'resync', id: null, data: { reason: 'slow' } }])
    const again = await connect('', slow.lastEventId)
    const replayed = await again.until(({ id }) => id === quick.lastEventId)
    expect(replayed.slice(1).map(({ id }) => id)).toEqual(sent)
  })

  it('a client that does not read is disconnected from its stream', async () => {
    const desk = await Desk.open(await open())
    const { feed, respond } = openFeed(desk.store, { lifetimeMs: 0, lingerMs: 1, heartbeatMs: 1 })
    const { body } = await respond()
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await expect(reader.closed).rejects.toThrow('does not read')
    expect(feed.clients).toBe(0)
  })

  it('a stream ends after its lifetime, and the client continues with another stream', async () => {
    const desk = await Desk.open(await open())
    const { connect } = openFeed(desk.store, { lifetimeMs: 0, heartbeatMs: 1 })
    const reader = await connect()
    expect(await reader.next()).toMatchObject({ event: 'hello' })
    expect(await reader.next()).toBeNull()
    await desk.card('a')
    const again = await connect('', reader.lastEventId)
    expect(await again.nextEvent()).toMatchObject({ data: { taskId: card('a') } })
  })

  it('several clients share one read of the store', async () => {
    const desk = await Desk.open(await open())
    let reads = 0
    const counted = overlay(desk.store, {
      feed: (...asked) => {
        reads += 1
        return desk.store.feed(...asked)
      },
    })
    const { connect } = openFeed(counted)
    const cursor = await cursorOf(desk.store)
    const readers = await Promise.all(Array.from({ length: 200 }, () => connect(`?after=${cursor}`)))
    await Promise.all(readers.map((reader) => reader.next()))
    await desk.card('first')
    await Promise.all(readers.map((reader) => reader.next()))
    reads = 0
    await desk.card('a')
    await desk.card('b')
    await Promise.all(readers.map((reader) => reader.until(({ data }) => data['taskId'] === card('b'))))
    expect(reads).toBeLessThan(20)
  })

  it('the feed reads nothing while no client is connected', async () => {
    const desk = await Desk.open(await open())
    const feedOf = vi.fn<Store['feed']>((...asked) => desk.store.feed(...asked))
    const { connect } = openFeed(overlay(desk.store, { feed: feedOf }))
    const reader = await connect()
    await desk.card('a')
    await reader.until(isKind('created'))
    await reader.cancel()
    feedOf.mockClear()
    const other = await desk.test.again({ mode: 'read' })
    let rings = 0
    const watching = await other.watch(() => (rings += 1))
    onTestFinished(() => watching.stop())
    const before = rings
    await desk.card('b')
    await expect.poll(() => rings).toBeGreaterThan(before)
    expect(feedOf).not.toHaveBeenCalled()
  })

  it('an unknown board, card or kind is refused', async () => {
    const desk = await Desk.open(await open())
    const { respond } = openFeed(desk.store)
    await expect(respond('?board=nowhere')).rejects.toMatchObject({ code: 'board_not_found' })
    await expect(respond(`?task=${card('a')}`)).rejects.toMatchObject({ code: 'task_not_found' })
    await expect(respond('?kinds=complete')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('completed') as string,
    })
    await expect(respond('?kind=completed')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(respond('?after=yesterday')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(respond('', 'yesterday')).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('connections beyond the limit are refused until one ends', async () => {
    const desk = await Desk.open(await open())
    const { connect, respond } = openFeed(desk.store, { clients: 2 })
    const [one] = await Promise.all([connect(), connect()])
    await expect(respond()).rejects.toMatchObject({ code: 'capped' })
    await one?.cancel()
    await connect()
  })

  it('stopping the feed ends every stream', async () => {
    const desk = await Desk.open(await open())
    const { feed, connect } = openFeed(desk.store)
    const readers = await Promise.all([connect(), connect('?kinds=held')])
    await Promise.all(readers.map((reader) => reader.next()))
    await feed.stop()
    for (const reader of readers) expect(await reader.next()).toBeNull()
  })

  it('a temporary store error delays events, and a broken store ends the streams', async () => {
    const { BoardError } = await import('../../../src/core/errors.ts')
    const desk = await Desk.open(await open())
    let failure: Error | null = null
    const failing = overlay(desk.store, {
      feed: async (...asked) => {
        if (failure !== null) throw failure
        return desk.store.feed(...asked)
      },
    })
    const { connect } = openFeed(failing)
    const reader = await connect()
    await reader.next()
    failure = new BoardError('store_busy', 'The store is busy.')
    await desk.card('a')
    failure = null
    expect(await reader.next()).toMatchObject({ data: { taskId: card('a') } })
    failure = new BoardError('store_corrupt', 'The store is damaged.')
    await desk.card('b')
    expect(await reader.next()).toBeNull()
    failure = null
    const again = await connect('', reader.lastEventId)
    expect(await again.nextEvent()).toMatchObject({ data: { taskId: card('b') } })
  })
})
