// Tests the exit codes and last messages after failed runs, with a lost data folder, and with an output that cannot be
// written.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BIN, makeTestHome } from '../helpers/cli.ts'
import { createShellCard, startUp, untilPrinted, untilStatus } from '../helpers/run-cards.ts'
import { ENGINES } from '../helpers/stores.ts'

describe('dispatch --wait', () => {
  test('a failed run makes the exit code 1, and the output names the run', async () => {
    const home = makeTestHome('sqlite')
    const good = await createShellCard(home, 'good', 'true')
    const bad = await createShellCard(home, 'bad', 'exit 3')
    const failed = await home.muster('dispatch', '--wait')
    expect(failed.code).toBe(1)
    expect(failed.stdout).toContain(`settled      ${good.id}  completed  now done`)
    expect(failed.stderr).toContain(`muster: 1 run failed: ${bad.id} (crashed). To see why: muster runs ${bad.id}\n`)
  })

  test('a failed run with `--json` prints the report and makes the exit code 1', async () => {
    const home = makeTestHome('sqlite')
    const { id } = await createShellCard(home, 'bad', 'true', '--check', 'false', '--max-retries', '1')
    const failed = await home.muster('dispatch', '--wait', '--json')
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.stdout)).toMatchObject({ settled: [{ id, outcome: 'checks_failed' }] })
    expect(failed.stderr).toBe('')
  })

  test('a run that ends with a question does not make the exit code 1', async () => {
    const home = makeTestHome('sqlite')
    const muster = `"${process.execPath}" "${BIN}"`
    const { id } = await createShellCard(home, 'asks', `${muster} block "$MUSTER_TASK" 'which colour?'`)
    expect(await home.muster('dispatch', '--wait')).toMatchObject({ code: 0 })
    await untilStatus(home, id, 'blocked')
  })

  test('without `--wait` the exit code does not depend on the runs', async () => {
    const home = makeTestHome('sqlite')
    const { id } = await createShellCard(home, 'bad', 'exit 3', '--max-retries', '1')
    expect(await home.muster('dispatch')).toMatchObject({ code: 0 })
    await untilStatus(home, id, 'blocked')
  })
})

test('a dry run lists the cards that it would assign and start', async () => {
  const home = makeTestHome('sqlite')
  const { id } = await home.create('for the default agent', '--body', 'true')
  await home.setBoard({ defaultAssignee: 'shell' })
  const { stdout } = await home.muster('dispatch', '--dry-run')
  expect(stdout).toContain(`would assign ${id}  to shell, the board's default\n`)
  expect(stdout).toContain(`would start  ${id}  shell\n`)
  expect((await home.show(id)).assignee).toBeNull()
  await home.runInline('archive', id)
  expect((await home.muster('dispatch', '--dry-run')).stdout).toBe('Nothing would start.\n')
})

describe('muster up and its data folder', () => {
  test.each(ENGINES)('`muster up` ends with one sentence when its folder is deleted (%s)', async (engine) => {
    const home = makeTestHome(engine)
    await home.runInline('init')
    const running = startUp(home)
    await untilPrinted(home, running, 'Running cards')
    rmSync(home.home, { recursive: true })
    const { code, stderr } = await running.ended
    expect([code, stderr.split('\n').at(-2)]).toEqual([
      1,
      `muster: The data folder ${home.home} was deleted, so Muster stops.`,
    ])
    expect(existsSync(home.home)).toBe(false)
  })

  test('`muster up --no-dispatch` ends when its folder is replaced', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    const running = startUp(home, {}, '--no-dispatch')
    await untilPrinted(home, running, 'Showing events only')
    renameSync(home.home, join(home.home, '..', 'aside'))
    mkdirSync(home.home)
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([1, expect.stringMatching(/The data folder \S+ was replaced, so Muster stops/)])
  })

  test('`muster up` ends when only the store file is deleted', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    const running = startUp(home)
    await untilPrinted(home, running, 'Running cards')
    for (const name of readdirSync(home.home).filter((one) => one.startsWith('muster.db')))
      rmSync(join(home.home, name))
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([1, expect.stringMatching(/The store \S+ was deleted, so Muster stops\.\n$/)])
  })
})

// Only Linux has a device that is always full.
describe.skipIf(!existsSync('/dev/full'))('an output on a full disk', () => {
  const fullDevice = (): number => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    return full
  }

  test('`muster --version` reports the full disk without a stack trace', () => {
    const { status, stderr } = spawnSync(process.execPath, [BIN, '--version'], {
      encoding: 'utf8',
      stdio: ['ignore', fullDevice(), 'pipe'],
    })
    expect([status, stderr]).toEqual([1, "muster: Can't write output: the disk is full.\n"])
  })

  test('`dispatch --wait` waits for its runs even if its output cannot be written', async () => {
    const home = makeTestHome('sqlite')
    const { id } = await createShellCard(home, 'a card', 'true')
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'dispatch', '--wait'], {
      env: home.env,
      encoding: 'utf8',
      stdio: ['ignore', fullDevice(), 'pipe'],
    })
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("muster: Can't write output: the disk is full. The command itself succeeded.\n"),
    ])
    expect((await home.show(id)).status).toBe('done')
  })

  test('`muster up` reports the full disk once and keeps running cards', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    const child = spawn(process.execPath, [BIN, 'up'], { env: home.env, stdio: ['ignore', fullDevice(), 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const { id } = await createShellCard(home, 'a card', 'true')
    await untilStatus(home, id, 'done')
    await expect.poll(() => stderr).toContain('Events are hidden until the output works again; cards still run.')
    child.kill('SIGINT')
    await once(child, 'close')
    expect([child.exitCode, stderr.match(/Can't write output/g)]).toEqual([0, ["Can't write output"]])
  })
})
