// Tests the outcomes of runs and their effect on cards. The scenarios are in docs/contributing/scenarios.md.
import { expect, test } from 'vitest'
import { startDetached } from '../../src/processes/spawn.ts'
import { testFolder } from '../helpers/stores.ts'
import { kindsOf, openHome, outcomesOf, shellCard, startUp, untilStatus, writeAgent } from '../helpers/run-cards.ts'

test('each child process reports its own exit code (scenario 28)', async () => {
  const folder = testFolder()
  const codes = [0, 3, 7, 75, 11]
  const start = (code: number) =>
    startDetached({ program: '/bin/sh', args: ['-c', `exit ${code}`], cwd: folder, env: {}, log: `${folder}/log` })
  const started = await Promise.all(codes.map(start))
  expect(await Promise.all(started.map(({ exited }) => exited))).toEqual(codes.map((code) => ({ code, signal: null })))
})

test('five crashes with a failure limit of five block the card once (scenario 30)', async () => {
  const home = await openHome('sqlite')
  await home.setBoard({ retryBaseMs: 1, retryMaxMs: 1, failureLimit: 5 })
  const card = await shellCard(home, 'exit 1')
  startUp(home)
  await untilStatus(home, card.id, 'blocked')
  const kinds = await kindsOf(home, card.id)
  expect(kinds.filter((kind) => kind === 'crashed')).toHaveLength(5)
  expect(kinds.filter((kind) => kind === 'gave_up')).toHaveLength(1)
  expect(kinds.indexOf('gave_up')).toBeGreaterThan(kinds.lastIndexOf('crashed'))
})

test('three exits without a required verdict block the card without counted failures (scenario 23)', async () => {
  const home = await openHome('sqlite')
  await home.setBoard({ retryBaseMs: 1, retryMaxMs: 1 })
  writeAgent(home, 'mute', 'harness: command\nonExit: verdict\nargs: [/bin/sh, -c, "echo I have nothing to say"]')
  const card = await home.create('mute', '--assignee', 'mute')
  expect((await home.dispatch('--wait')).started).toHaveLength(1)
  expect(await home.show(card.id)).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
  startUp(home)
  await untilStatus(home, card.id, 'blocked')
  expect(await outcomesOf(home, card.id)).toEqual(['protocol_violation', 'protocol_violation', 'protocol_violation'])
  expect((await home.show(card.id)).consecutiveFailures).toBe(0)
})
