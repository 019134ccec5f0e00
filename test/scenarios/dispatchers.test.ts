// Tests unusable data folders, and a reclaim that races with the end of a run. The scenarios are in
// docs/contributing/scenarios.md.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENGINES } from '../helpers/stores.ts'
import { WAITS, finish, kindsOf, openHome, outcomesOf, shellCard, statusOf, untilBegun } from '../helpers/run-cards.ts'

test('a data folder that cannot be written is reported clearly (scenario 3)', async () => {
  const home = await openHome('sqlite')
  const nowhere = '/dev/null/muster'
  const { code, stderr, stdout } = await home.start(['up'], { env: { MUSTER_HOME: nowhere } }).ended
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^muster: [^\n]+\n$/)
  expect(stderr).toContain(nowhere)
})

test('a damaged store stops only its own data folder (scenario 62)', async () => {
  const [broken, sound] = [await openHome('sqlite'), await openHome('sqlite')]
  const card = await shellCard(sound, 'true')
  writeFileSync(join(broken.home, 'muster.db'), 'this is no database '.repeat(2_000))
  for (let tries = 0; tries < 2; tries += 1) {
    const { code, stderr } = await broken.muster('dispatch')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^muster: /)
  }
  expect(readdirSync(broken.home).filter((name) => /\.corrupt\..*\.bak$/.test(name))).toHaveLength(1)
  await sound.dispatch('--wait')
  expect(await statusOf(sound, card.id)).toBe('done')
})

test.each(ENGINES)('on %s, exactly one of reclaim and worker exit takes effect (scenario 70)', async (engine) => {
  const home = await openHome(engine)
  for (let round = 0; round < 3; round += 1) {
    const card = await shellCard(home, `${WAITS}; echo finished`)
    await home.dispatch()
    const { run } = await home.liveRun(card.id)
    await untilBegun(home, card.id)
    finish(home, card.id)
    const { code } = await home.muster('reclaim', card.id, '--json')
    await home.until('the run is over', async () => (await (await home.store()).run(run.id))?.endedAt != null)
    const outcome = (await outcomesOf(home, card.id))[0]
    expect(outcome === 'completed' ? code !== 0 : outcome === 'reclaimed' && code === 0).toBe(true)
    expect(await statusOf(home, card.id)).toBe(outcome === 'completed' ? 'done' : 'ready')
    const kinds = await kindsOf(home, card.id)
    expect(kinds.filter((kind) => kind === 'completed' || kind === 'reclaimed')).toHaveLength(1)
    await home.muster('archive', card.id)
  }
})
