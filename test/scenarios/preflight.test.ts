// Tests requirements that are missing before a card starts. The scenarios are in docs/contributing/scenarios.md.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { TestHome } from '../helpers/cli.ts'
import { writeSkill } from '../helpers/skills.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { openHome, startUp, untilStatus, writeAgent } from '../helpers/run-cards.ts'

const REPLAY = join(import.meta.dirname, '..', 'fixtures', 'clis', 'replay.mjs')

interface Reason {
  readonly gate: string
  readonly message: string
  readonly clearedBy: string
}

const why = async (home: TestHome, id: TaskId): Promise<readonly Reason[]> =>
  (JSON.parse((await home.muster('why', id, '--json')).stdout) as { reasons: Reason[] }).reasons

/** Puts programs on the PATH that replace the agent CLIs. */
function install(home: TestHome): void {
  const folder = mkdtempSync(join(tmpdir(), 'muster-clis-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const cli of ['opencode', 'claude']) symlinkSync(REPLAY, join(folder, cli))
  Object.assign(home.env, { PATH: [folder, process.env['PATH']].join(delimiter), HOME: folder })
}

test.each(SURFACE_ENGINES)('a card with a missing skill on %s waits unclaimed (scenario 52)', async (engine) => {
  const home = await openHome(engine)
  writeSkill(join(home.home, 'skills'), 'reading')
  writeAgent(home, 'scribe', 'harness: command\nargs: [/bin/sh, -c, "cat >told"]\nskills: [style]')
  const byCard = await home.create('a', '--assignee', 'scribe', '--skill', 'reading')
  const byAgent = await home.create('b', '--assignee', 'scribe')
  rmSync(join(home.home, 'skills', 'reading'), { recursive: true })

  // Repeated passes do not use an attempt.
  for (const _ of [1, 2, 3]) {
    const { started, deferred } = await home.dispatch('--wait')
    expect(started).toEqual([])
    expect(deferred).toMatchObject([
      {
        id: byCard.id,
        reason: expect.stringMatching(/^Skill reading is not installed here\. Add .*SKILL\.md, or muster edit/),
      },
      {
        id: byAgent.id,
        reason: expect.stringMatching(/^Skill style is not installed here\. Add .*, or fix agents\/scribe\.md$/),
      },
    ])
  }
  expect(await why(home, byCard.id)).toMatchObject([
    { gate: 'skill', message: 'Skill reading is not installed here.' },
    {},
  ])
  expect((await home.muster('why', byAgent.id)).stdout).toContain('Skill style is not installed here.')
  for (const { id } of [byCard, byAgent])
    expect(await home.show(id)).toMatchObject({ status: 'ready', runs: [], consecutiveFailures: 0 })

  const up = startUp(home)
  await home.until('it dispatches', async () => (await (await home.store()).dispatchers()).length > 0)
  for (const name of ['reading', 'style']) writeSkill(join(home.home, 'skills'), name)
  for (const { id } of [byCard, byAgent]) {
    await untilStatus(home, id, 'done')
    expect((await home.show(id)).runs).toHaveLength(1)
  }
  up.child.kill('SIGTERM')
  await up.ended
})

test('a model that cannot be passed to the CLI is reported before the claim (scenario 52)', async () => {
  const home = await openHome('sqlite')
  install(home)
  writeAgent(home, 'coder', 'harness: opencode\nargs: ["replay:success"]')
  const { id } = await home.create('a', '--assignee', 'coder', '--model', 'large')
  expect((await home.dispatch('--wait')).deferred).toMatchObject([
    {
      id,
      reason: expect.stringContaining('opencode needs a model as provider/model, and large names no provider.'),
    },
  ])
  const [reason] = await why(home, id)
  expect(reason).toMatchObject({ gate: 'model', clearedBy: `muster edit ${id} --model '…'` })
  expect((await home.show(id)).runs).toEqual([])
  await home.runInline('edit', id, '--model', 'acme/large')
  await home.dispatch('--wait')
  expect(await home.show(id)).toMatchObject({ status: 'done', runs: [{ attempt: 1 }] })
})

test('a missing login pauses the account after one run, without a failure (scenario 52)', async () => {
  const home = await openHome('sqlite')
  install(home)
  writeAgent(home, 'coder', 'harness: opencode\naccount: team\nargs: ["replay:auth"]')
  const first = await home.create('a', '--assignee', 'coder', '--priority', '1')
  const second = await home.create('b', '--assignee', 'coder')
  home.env['MUSTER_MACHINE_CAP'] = '1'
  for (const _ of [1, 2]) await home.dispatch('--wait')
  expect(await home.show(first.id)).toMatchObject({
    status: 'ready',
    consecutiveFailures: 0,
    runs: [{ outcome: 'interrupted' }],
  })
  expect((await home.show(second.id)).runs).toEqual([])
  for (const { id } of [first, second]) {
    const reasons = await why(home, id)
    expect(reasons).toContainEqual(
      expect.objectContaining({
        gate: 'account_paused',
        clearedBy: expect.stringContaining('muster resume account team'),
      }),
    )
  }
  // The user logs in and resumes the account.
  writeAgent(home, 'coder', 'harness: opencode\naccount: team\nargs: ["replay:success"]')
  await home.runInline('resume', 'account', 'team')
  home.env['MUSTER_MACHINE_CAP'] = '2'
  await home.dispatch('--wait')
  for (const { id } of [first, second]) expect(await home.show(id)).toMatchObject({ status: 'done' })
})
