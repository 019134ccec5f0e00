// Tests a store that is replaced while runs are live: by a restore, or by a new file in its place.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { thisHost } from '../../src/processes/identity.ts'
import { isLiving, makeTestHome } from '../helpers/cli.ts'
import { groupMembers } from '../../src/processes/group.ts'
import { readLeader } from '../../src/runs/wrapper.ts'
import {
  WAITS,
  createShellCard,
  finish,
  isGone,
  startUp,
  untilBegun,
  untilPrinted,
  untilStatus,
} from '../helpers/run-cards.ts'

const { processes } = thisHost()

/** Overwrites the file in another process, because closing the file here would drop the locks of the open store. */
const destroy = (path: string): Buffer =>
  execFileSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=4096', 'count=1', 'conv=notrunc'], { stdio: 'pipe' })

test('an unreadable store is not restored while a run is live', async () => {
  const home = makeTestHome('sqlite')
  const { id } = await createShellCard(home, 'waits', WAITS)
  const made = JSON.parse((await home.muster('backup', 'create', '--json')).stdout) as { name: string }
  await home.dispatch()
  await untilBegun(home, id)
  const { run } = await home.liveRun(id)
  for (const tail of ['-wal', '-shm']) execFileSync('rm', ['-f', join(home.home, `muster.db${tail}`)])
  destroy(join(home.home, 'muster.db'))
  const refused = await home.muster('backup', 'restore', made.name, '--yes')
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(refused.stderr).toContain(`processes of ${run.id} are alive`)
  finish(home, id)
  await expect.poll(() => isLiving(run)).toBe(false)
  expect(await home.muster('backup', 'restore', made.name, '--yes')).toMatchObject({ code: 0 })
})

test('a supervisor stops its agent when its store is replaced', async () => {
  const home = makeTestHome('sqlite')
  await home.muster('init')
  await home.setBoard({ leaseMs: 1_000 })
  const { id } = await createShellCard(home, 'waits', WAITS)
  await home.dispatch()
  await untilBegun(home, id)
  const { supervisor, directory } = await home.liveRun(id)
  const aside = join(home.home, '..', 'aside')
  mkdirSync(aside)
  for (const name of readdirSync(home.home).filter((one) => one.startsWith('muster.db')))
    renameSync(join(home.home, name), join(aside, name))
  expect(await home.muster('init')).toMatchObject({ code: 0 })
  await expect.poll(() => isGone(supervisor)).toBe(true)
  // In the old store, the run is still open and has not failed.
  await untilStatus(home, id, 'running')
  expect(readdirSync(directory.path)).toContain('log')
})

test('a restored card waits until its earlier worker is gone', async () => {
  const home = makeTestHome('sqlite')
  const { id } = await createShellCard(home, 'waits', WAITS)
  const made = JSON.parse((await home.muster('backup', 'create', '--json')).stdout) as { name: string }
  await home.dispatch()
  await untilBegun(home, id)
  const { run, supervisor, directory } = await home.liveRun(id)
  const leader = await readLeader(directory, { runId: run.id, tokenHash: run.tokenHash ?? '' })
  const lives = (): boolean => groupMembers(processes, { run: run.id, leader }).length > 0
  // The supervisor is stopped, so that it cannot notice that its run no longer exists.
  process.kill(supervisor, 'SIGSTOP')
  expect(await home.muster('backup', 'restore', made.name, '--yes', '--force')).toMatchObject({ code: 0 })
  home.env['MUSTER_TAKE_OVER_MS'] = '1'
  const first = await home.dispatch()
  expect(first.started).toEqual([])
  expect(first.deferred).toMatchObject([
    { id, reason: expect.stringContaining(`Processes of run ${run.id} are alive`) },
  ])
  expect([isGone(supervisor), lives()]).toEqual([false, true])
  const second = await home.dispatch()
  expect([isGone(supervisor), lives()]).toEqual([true, false])
  expect(second.started).toMatchObject([{ id, attempt: 1 }])
  finish(home, id)
  await untilStatus(home, id, 'done')
})

test('`muster up` ends when its store is replaced', async () => {
  const home = makeTestHome('sqlite')
  await home.muster('init')
  const running = startUp(home)
  await untilPrinted(home, running, 'Running cards')
  const aside = join(home.home, '..', 'aside')
  mkdirSync(aside)
  for (const name of readdirSync(home.home).filter((one) => one.startsWith('muster.db')))
    renameSync(join(home.home, name), join(aside, name))
  expect(await home.muster('init')).toMatchObject({ code: 0 })
  const { code, stderr } = await running.ended
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^muster: The store .*was replaced/m)])
})
