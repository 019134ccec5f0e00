// Tests that a client misses no event and gets no event twice, in any order of its reads, reconnects, commits and
// restores.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openLiveFeed } from '../../../src/http/feed/live-feed.ts'
import type { Store } from '../../../src/storage/store.ts'
import { newCommentId } from '../../../src/util/mint.ts'
import { overlay } from '../../../src/util/objects.ts'
import { readFeed } from '../../helpers/feed-reader.ts'
import type { FeedMessage } from '../../helpers/feed-reader.ts'
import { card } from '../../helpers/sample.ts'
import { openTestStore } from '../../helpers/stores.ts'
import { Desk } from '../../storage/desk.ts'

/** Delays the start and the result of each read, in an order that the scheduler chooses. */
const scheduled = (store: Store, scheduler: fc.Scheduler): Store =>
  overlay(store, {
    feed: async (...asked) => {
      await scheduler.schedule(Promise.resolve(), 'read')
      const page = await store.feed(...asked)
      await scheduler.schedule(Promise.resolve(), 'page')
      return page
    },
  })

interface ClientPlan {
  /** Whether the client starts at the first event. Otherwise it starts at the end of the log. */
  readonly fromStart: boolean
  /** The numbers of messages after which the client disconnects. */
  readonly messages: readonly number[]
}

const plan = fc.record({
  fromStart: fc.boolean(),
  messages: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
})
const step = fc.constantFrom('commit', 'commit', 'commit', 'commit', 'restore')

/** Returns the faults in the messages of one client. `log` has the ids of all events. */
function faultsOf(messages: readonly FeedMessage[], start: string, log: readonly number[]): readonly string[] {
  const faults: string[] = []
  let [epoch = '', id = ''] = start.split(':')
  for (const { event, data } of messages) {
    const [nextEpoch = '', nextId = ''] = String(data['cursor']).split(':')
    const due = log.find((each) => each > Number(id))
    if (event === 'resync' ? nextEpoch === epoch : nextEpoch !== epoch || Number(nextId) !== due)
      faults.push(`${event} ${nextEpoch}:${nextId} after ${epoch}:${id}`)
    ;[epoch, id] = [nextEpoch, nextId]
  }
  return Number(id) === log.at(-1) ? faults : [...faults, `ended at ${epoch}:${id}`]
}

test('no interleaving of reads, reconnects, commits and restores loses or repeats an event', async () => {
  const desk = await Desk.open(await openTestStore('sqlite'))
  const task = await desk.card('a')
  const cursorOf = async (): Promise<string> => (await desk.store.feed(null)).cursor
  const commit = () => desk.ok('comment', { task: card('a'), id: newCommentId(), body: 'x' })
  let epochs = 0
  const steps = {
    commit,
    restore: () => desk.test.raw(`update meta set value = 'e${(epochs += 1).toString(16)}' where key = 'epoch'`),
  }

  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { maxLength: 12 }),
      fc.array(plan, { minLength: 1, maxLength: 3 }),
      async (scheduler, planned, plans) => {
        const feed = openLiveFeed(scheduled(desk.store, scheduler), { heartbeatMs: 3 })
        const first = await cursorOf()
        let last = Infinity

        const connect = async (cursor: string) =>
          readFeed(await feed.respond(new Request(`http://localhost/api/events?task=${task}&after=${cursor}`)))

        const follow = async ({ fromStart, messages: counts }: ClientPlan): Promise<void> => {
          const start = fromStart ? first : await cursorOf()
          const got: FeedMessage[] = []
          let cursor = start
          const isComplete = (): boolean => Number(cursor.split(':')[1]) >= last
          for (const count of [...counts, Infinity]) {
            const reader = await connect(cursor)
            for (let left = count; left > 0 && !isComplete(); left -= 1) {
              const message = await reader.nextEvent()
              if (message === null) break
              got.push(message)
              cursor = reader.lastEventId
              if (left % 2 === 0) await scheduler.schedule(Promise.resolve(), 'message')
            }
            await reader.cancel()
          }
          const { events } = await desk.store.cardFeed({ board: 'main', task }, null, 100_000)
          const log = events.map((event) => event.id)
          expect(faultsOf(got, start, log)).toEqual([])
        }

        const write = async (): Promise<void> => {
          for (const name of planned) {
            await scheduler.schedule(Promise.resolve(), name)
            await steps[name]()
          }
          await scheduler.schedule(Promise.resolve(), 'last')
          await commit()
          last = Number((await cursorOf()).split(':')[1])
        }

        await scheduler.waitFor(Promise.all([write(), ...plans.map(follow)]))
        await feed.stop()
      },
    ),
    { numRuns: 30 },
  )
})
