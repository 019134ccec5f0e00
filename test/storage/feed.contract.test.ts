import { expect, it, onTestFinished, vi } from 'vitest'
import { card, clockwork, commentOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores(
  'the feed',
  (open) => {
    it('the feed returns every event after a cursor once, in order', async () => {
      const desk = await Desk.open(await open())
      const start = await desk.store.feed(null)
      expect(start).toMatchObject({ events: [], resync: false })
      expect(await desk.store.feed(start.cursor)).toEqual(start)
      await desk.card('a')
      await desk.ok('hold', { task: card('a') })
      await desk.ok('release', { task: card('a') })
      const page = await desk.store.feed(start.cursor)
      expect(page.events.map((event) => event.kind)).toEqual(['created', 'held', 'released'])
      expect(page.events[0]).toMatchObject({ board: 'main', taskId: card('a'), actor: 'ada', runId: null })
      expect(await desk.store.feed(page.cursor)).toMatchObject({ events: [], cursor: page.cursor, resync: false })
      expect((await desk.store.feed(null)).cursor).toBe(page.cursor)
    })

    it('the feed can be read in pages without gaps or repeats', async () => {
      const desk = await Desk.open(await open())
      let { cursor } = await desk.store.feed(null)
      for (const at of [1, 2, 3, 4, 5, 6, 7]) await desk.card(at)
      const ids: number[] = []
      for (;;) {
        const page = await desk.store.feed(cursor, 3)
        if (page.events.length === 0) break
        expect(page.events.length).toBeLessThanOrEqual(3)
        ids.push(...page.events.map((event) => event.id))
        cursor = page.cursor
      }
      expect(ids).toHaveLength(7)
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    })

    it('a cursor that is not valid causes a resync', async () => {
      const desk = await Desk.open(await open())
      await desk.card('a')
      const { cursor } = await desk.store.feed(null)
      const anew = { events: [], cursor, resync: true, more: false }
      expect(await desk.store.feed(cursor.replace(/^[0-9a-f]+/, 'ffffff'))).toEqual(anew)
      expect(await desk.store.feed(cursor.replace(/\d+$/, '99999'))).toEqual(anew)
      expect(await desk.store.feed('yesterday')).toEqual(anew)
      expect(await desk.store.feed('')).toEqual(anew)
    })

    it('a cursor that is older than the kept events causes a resync', async () => {
      const desk = await Desk.open(await open())
      const old = (await desk.store.feed(null)).cursor
      await desk.card('a')
      await desk.card('b')
      const { cursor } = await desk.store.feed(null)
      const head = Number(/\d+$/.exec(cursor)?.[0])
      await desk.test.raw(`update meta set value = '${head - 1}' where key = 'floor'`)
      expect(await desk.store.feed(old)).toMatchObject({ resync: true, cursor, events: [] })
      expect(await desk.store.feed(cursor.replace(/\d+$/, String(head - 1)))).toMatchObject({
        resync: false,
        events: [{ taskId: card('b') }],
      })
    })

    it('a refused command without events does not move the feed cursor', async () => {
      const desk = await Desk.open(await open())
      await desk.card('a')
      const { cursor } = await desk.store.feed(null)
      await desk.refused('unblock', { task: card('a') })
      await desk.refused('create', { cards: [{ id: card('b'), title: ' ' }] })
      expect((await desk.store.feed(null)).cursor).toBe(cursor)
    })

    it('events of a large batch keep the order of its cards', async () => {
      const desk = await Desk.open(await open())
      const { cursor } = await desk.store.feed(null)
      const cards = Array.from({ length: 999 }, (_, at) => ({ id: card(`k${at}`), title: 'One of many' }))
      await desk.ok('create', { cards })
      const { events } = await desk.store.feed(cursor, 2000)
      expect(events.map((event) => event.taskId)).toEqual(cards.map((each) => each.id))
      expect(events.at(-1)?.id).toBe((events[0]?.id ?? 0) + 998)
    })

    it('the latest events of a card are returned with the oldest first', async () => {
      const desk = await Desk.open(await open())
      await desk.card('a')
      await desk.card('b')
      for (const at of [1, 2, 3]) await desk.ok('comment', { task: card('a'), id: commentOf(at), body: 'x'.repeat(at) })
      const lengths = (await desk.store.taskEvents('main', card('a'), 2)).map((event) => event.data.length)
      expect(lengths).toEqual([2, 3])
      expect((await desk.store.taskEvents('main', card('a'))).map((event) => event.kind)).toEqual([
        'created',
        'commented',
        'commented',
        'commented',
      ])
    })
  },
  { inThread: true },
)

describeStores(
  'watching',
  (open) => {
    /** Makes a callback that counts its calls. */
    const makeCounter = () => {
      let calls = 0
      const ring = (): void => void (calls += 1)
      const called = async (before: number): Promise<void> => {
        await expect.poll(() => calls).toBeGreaterThan(before)
      }
      return { ring, called, count: () => calls }
    }

    it('a watcher is called after a commit of another connection, without waiting for a poll', async () => {
      // Stops the poll that happens every second, because a poll would hide a missing call. A store in a thread has its
      // own timers.
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      const desk = await Desk.open(await open())
      const watcher = await desk.test.again({ mode: 'read' })
      const counter = makeCounter()
      const watching = await watcher.watch(counter.ring)
      onTestFinished(() => watching.stop())
      for (const at of [1, 2, 3, 4, 5]) {
        const before = counter.count()
        await desk.card(at)
        await counter.called(before)
      }
    })

    /**
     * Whether `work` causes no call. An earlier commit may still cause a call in the first rounds, so a single round
     * without a call is enough.
     */
    async function isQuiet(counter: ReturnType<typeof makeCounter>, work: () => Promise<unknown>): Promise<boolean> {
      for (let left = 10; left > 0; left -= 1) {
        const before = counter.count()
        await work()
        await new Promise((resolve) => setTimeout(resolve, 100))
        if (counter.count() === before) return true
      }
      return false
    }

    it('a watcher is not called without a commit, or after it was stopped', async () => {
      const desk = await Desk.open(await open())
      const [counter, other] = [makeCounter(), makeCounter()]
      const watching = await desk.store.watch(counter.ring)
      const asks = async () => {
        await desk.refused('unblock', { task: card('nobody') })
        await desk.store.feed(null)
      }
      expect(await isQuiet(counter, asks)).toBe(true)
      const listening = await desk.store.watch(other.ring)
      onTestFinished(() => listening.stop())
      await watching.stop()
      const [stopped, before] = [counter.count(), other.count()]
      await desk.card('a')
      await other.called(before)
      expect(counter.count()).toBe(stopped)
    })

    it('watchers are not called when a lease is renewed or activity is recorded', async () => {
      const desk = await Desk.open(await open())
      const { task, fence } = await desk.run(await desk.card('a'))
      const counter = makeCounter()
      const watching = await desk.store.watch(counter.ring)
      onTestFinished(() => watching.stop())
      const lives = async () => {
        await desk.store.renewLease('main', fence)
        await desk.ok('heartbeat', { task, fence }, clockwork)
      }
      expect(await isQuiet(counter, lives)).toBe(true)
    })
  },
  { inThread: true },
)
