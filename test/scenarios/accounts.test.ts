// Tests accounts that reach their limits, with programs that replay recorded output of the real CLIs.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { AccountView } from '../../src/operations/agents/list-accounts.ts'
import type { TestHome } from '../helpers/cli.ts'
import { addCliAgent, install, makeFixtureCliHome } from '../helpers/fixture-clis.ts'
import { alterWorld } from '../helpers/world.ts'
import { startUp, untilStatus } from '../helpers/run-cards.ts'

const HOUR = 3_600_000

const cardsFor = async (home: TestHome, assignee: string, count: number): Promise<readonly TaskId[]> => {
  const cards = Array.from({ length: count }, () => home.create('a card', '--assignee', assignee))
  return (await Promise.all(cards)).map(({ id }) => id)
}

const accountOf = async (home: TestHome, name: string): Promise<AccountView | undefined> => {
  const { stdout } = await home.muster('accounts', 'list', '--json')
  return (JSON.parse(stdout) as readonly AccountView[]).find((account) => account.name === name)
}

const runsOf = async (home: TestHome, ids: readonly TaskId[]) =>
  (await Promise.all(ids.map(async (id) => (await home.store()).runs('default', id)))).flat()

test('a rate-limited account delays only its own cards, until a probe succeeds', async () => {
  const home = makeFixtureCliHome()
  const walls = { wall: join(home.user, 'wall'), held: join(home.user, 'held') }
  writeFileSync(walls.wall, '')
  addCliAgent(home, 'walled', { cli: 'codex', account: 'full', words: ['replay:success', 'wall:wall', 'held:held'] })
  addCliAgent(home, 'free', { cli: 'claude', account: 'empty', words: ['replay:success'] })
  const [first] = await cardsFor(home, 'walled', 1)
  await home.setBoard({ rateLimitBaseMs: HOUR, rateLimitMaxMs: HOUR })
  await home.dispatch('--wait')
  const walled = [...(first === undefined ? [] : [first]), ...(await cardsFor(home, 'walled', 2))]
  const free = await cardsFor(home, 'free', 3)

  const report = await home.dispatch('--wait')
  expect(report.paused).toMatchObject([{ kind: 'account', name: 'full', until: expect.any(Number) }])
  for (const id of free) expect((await home.show(id)).status).toBe('done')
  expect(await accountOf(home, 'full')).toMatchObject({ state: 'paused', cause: 'quota', until: expect.any(Number) })
  expect(await accountOf(home, 'empty')).toMatchObject({ state: 'open' })
  const { until } = (await accountOf(home, 'full')) ?? {}
  for (const id of walled) {
    const { stdout } = await home.muster('why', id, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      reasons: [{ gate: 'account_paused', at: until }, { gate: 'dispatcher' }],
    })
    expect((await home.show(id)).consecutiveFailures).toBe(0)
  }
  expect(await runsOf(home, walled)).toMatchObject([{ outcome: 'rate_limited', probe: false }])

  // The limit is over. The test holds the probe, so that it can see that all other cards wait for the probe.
  renameSync(walls.wall, walls.held)
  alterWorld(home).set({ clockOffsetMs: HOUR })
  startUp(home)
  const store = await home.store()
  const probe = await home.until('it is tried again', async () => (await store.account('full'))?.probeRunId ?? null)
  await home.until('the probe is at work', async () => (await store.run(probe))?.logPath ?? null)
  expect(await accountOf(home, 'full')).toMatchObject({ state: 'trying', running: 1, probeRunId: probe })
  expect((await store.openRuns(null)).map(({ id }) => id)).toEqual([probe])
  rmSync(walls.held)
  for (const id of walled) await untilStatus(home, id, 'done')
  expect(await accountOf(home, 'full')).toMatchObject({ state: 'open', cause: null })
  const runs = await runsOf(home, walled)
  expect(runs.filter((run) => run.probe).map(({ id }) => id)).toEqual([probe])
  expect(runs.filter(({ outcome }) => outcome === 'completed')).toHaveLength(3)
})

test('a probe that cannot start does not close its account', async () => {
  const home = makeFixtureCliHome({ MUSTER_QUOTA_WAIT_MS: '200' })
  const wall = join(home.user, 'wall')
  writeFileSync(wall, '')
  addCliAgent(home, 'walled', { cli: 'gemini', account: 'full', words: ['replay:success', 'wall:wall'] })
  const cards = await cardsFor(home, 'walled', 2)
  await home.setBoard({ rateLimitBaseMs: HOUR, rateLimitMaxMs: HOUR, retryBaseMs: 1, failureLimit: 100 })
  await home.dispatch('--wait', '--max', '1')
  expect(await accountOf(home, 'full')).toMatchObject({ state: 'paused', cause: 'quota' })

  // The settings of the CLI cannot be read, so a card is claimed but its agent is not started.
  const settings = join(home.user, '.gemini', 'settings.json')
  mkdirSync(join(settings, '..'))
  writeFileSync(settings, 'no settings')
  rmSync(wall)
  alterWorld(home).set({ clockOffsetMs: HOUR })
  await home.dispatch('--wait')
  const failed = async () => (await runsOf(home, cards)).filter(({ outcome }) => outcome === 'spawn_failed')
  const probes = await failed()
  expect(probes).not.toEqual([])
  for (const probe of probes)
    expect(probe).toMatchObject({ probe: true, error: expect.stringContaining('settings cannot be read') })
  expect(await accountOf(home, 'full')).toMatchObject({ probeRunId: null })

  // The CLI is gone, so no card of its agent is claimed.
  rmSync(join(home.user, 'gemini'))
  expect((await home.dispatch('--wait')).started).toEqual([])
  install(home.user, 'gemini')

  startUp(home)
  await home.until('another probe has failed', async () => (await failed()).length > probes.length)
  rmSync(settings)
  for (const id of cards) await untilStatus(home, id, 'done')
  expect(await accountOf(home, 'full')).toMatchObject({ state: 'open', probeRunId: null })
  expect((await failed()).every((run) => run.probe)).toBe(true)
})
