import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openLiveFeed } from '../../../src/http/feed/live-feed.ts'
import type { Store } from '../../../src/storage/store.ts'
import { overlay } from '../../../src/util/objects.ts'
import { readFeed } from '../../helpers/feed-reader.ts'
import type { FeedReader } from '../../helpers/feed-reader.ts'
import { clockwork, identity } from '../../helpers/sample.ts'
import { openTestStore, testFolder } from '../../helpers/stores.ts'
import { Desk } from '../../storage/desk.ts'

/** Opens a feed of a board with running cards. The test writes the logs of these cards. */
async function openRunning() {
  const desk = await Desk.open(await openTestStore('sqlite'))
  const folder = testFolder()
  const openRuns = vi.fn<Store['openRuns']>((machine) => desk.store.openRuns(machine))
  const feed = openLiveFeed(overlay(desk.store, { openRuns }))
  onTestFinished(() => feed.stop())
  const connect = async (query: string): Promise<FeedReader> =>
    readFeed(await feed.respond(new Request(`http://localhost/api/events${query}`)))
  const start = async (letter: string) => {
    const log = join(folder, letter)
    writeFileSync(log, `${letter} begins\n`)
    const claimed = await desk.claim(await desk.card(letter))
    const { task, fence } = claimed
    await desk.ok('register', { task, fence, identity: identity(500), logPath: log }, clockwork)
    return { ...claimed, log }
  }
  return { desk, connect, start, openRuns }
}

const outputs = (reader: FeedReader, line: string) =>
  reader.until(({ event, data }) => event === 'run_output' && data['line'] === line)

test('a client that asks for output gets the last line of every running card', async () => {
  const { connect, start } = await openRunning()
  const [one, two] = [await start('a'), await start('b')]
  const reader = await connect('?output=1')
  await outputs(reader, 'b begins')
  appendFileSync(one.log, 'first\nsecond\n')
  const [notice] = (await outputs(reader, 'second')).slice(-1)
  expect(notice).toEqual({
    event: 'run_output',
    id: null,
    data: { kind: 'run_output', board: 'main', taskId: one.task, runId: one.runId, line: 'second' },
  })
  const late = await connect('?output=1')
  const known = [await late.nextEvent(), await late.nextEvent()]
  expect(known.map((message) => message?.data['line'])).toEqual(['second', 'b begins'])
  const ofCard = await connect(`?output=1&task=${two.task}`)
  expect(await ofCard.nextEvent()).toMatchObject({ data: { line: 'b begins' } })
})

test('a run that starts later is included, and an ended run is left out', async () => {
  const { desk, connect, start } = await openRunning()
  const one = await start('a')
  const reader = await connect('?output=1')
  await outputs(reader, 'a begins')
  const two = await start('b')
  await outputs(reader, 'b begins')
  await desk.settle(one)
  appendFileSync(two.log, 'goes on\n')
  await outputs(reader, 'goes on')
  const late = await connect('?output=1')
  expect(await late.nextEvent()).toMatchObject({ data: { line: 'goes on' } })
})

test('a note of the agent is shown instead of its output', async () => {
  const { desk, connect, start } = await openRunning()
  const { task, fence } = await start('a')
  const reader = await connect('?output=1')
  await outputs(reader, 'a begins')
  await desk.ok('heartbeat', { task, fence, note: 'half way' }, clockwork)
  await outputs(reader, 'half way')
})

test('the server reads no output while no client asks for output', async () => {
  const { desk, connect, start, openRuns } = await openRunning()
  await start('a')
  const plain = await connect('')
  const asking = await connect('?output=1')
  await outputs(asking, 'a begins')
  await asking.cancel()
  openRuns.mockClear()
  await start('b')
  const seen = await plain.until(({ data }) => data['kind'] === 'claimed' && data['taskId'] !== null)
  expect(seen.map(({ event }) => event)).not.toContain('run_output')
  await desk.card('c')
  expect(openRuns).not.toHaveBeenCalled()
})
