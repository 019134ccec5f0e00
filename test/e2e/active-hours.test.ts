// Tests active hours with the real binary: cards wait for the opening, and running cards continue.
import { expect, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'
import { localHours } from '../helpers/local-hours.ts'
import { WAITS, createShellCard, finish, startUp, untilBegun, untilPrinted, untilStatus } from '../helpers/run-cards.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { alterWorld } from '../helpers/world.ts'

const HOUR = 3_600_000

test.each(SURFACE_ENGINES)('a card starts when its board becomes active (%s)', async (engine) => {
  const home = makeTestHome(engine)
  const world = alterWorld(home)
  const card = await createShellCard(home, 'by night', 'echo worked')
  const now = Date.now()
  const { text } = localHours(now + 2 * HOUR, now + 4 * HOUR)
  const set = await home.muster('boards', 'set', 'default', '--active-hours', text)
  expect(set.stdout).toBe(`Changed board default: activeHours=${text}.\n`)
  const up = startUp(home)
  await untilPrinted(home, up, 'Running cards')
  const why = await home.muster('why', card.id)
  expect(why.stdout).toContain(`Starts at ${text.slice(0, 5)}: board default is active ${text}.`)
  expect(why.stdout).toContain("To change the hours: muster boards set default --active-hours '…'")
  expect((await home.show(card.id)).status).toBe('ready')
  world.set({ clockOffsetMs: 2 * HOUR + 60_000 })
  await untilStatus(home, card.id, 'done')
})

test('a running card continues when its board stops being active', async () => {
  const home = makeTestHome('sqlite')
  const card = await createShellCard(home, 'long work', WAITS)
  const up = startUp(home)
  await untilPrinted(home, up, 'Running cards')
  await untilBegun(home, card.id)
  const { text } = localHours(Date.now() + 2 * HOUR, Date.now() + 4 * HOUR)
  await home.runInline('boards', 'set', 'default', '--active-hours', text)
  const next = await createShellCard(home, 'later', 'echo later')
  finish(home, card.id)
  await untilStatus(home, card.id, 'done')
  const why = await home.runInline('why', next.id, '--json')
  expect(JSON.parse(why.stdout)).toMatchObject({ reasons: [{ code: 'outside_hours' }] })
  await home.runInline('boards', 'set', 'default', '--active-hours', 'none')
  await untilStatus(home, next.id, 'done')
})
