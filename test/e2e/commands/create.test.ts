// Tests `create` through the real binary: streams, races, and data folders that cannot be written.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { taskView } from '../../../src/operations/shared/views.ts'
import { BIN, makeTestHome } from '../../helpers/cli.ts'
import { writeSkill } from '../../helpers/skills.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'
import { giveTo, unprivilegedUser } from '../../helpers/unprivileged.ts'

describe.each(SURFACE_ENGINES)('create (%s)', (engine) => {
  test('the first card creates a private data folder and reports it once', async () => {
    const home = makeTestHome(engine)
    const first = await home.muster('create', 'Say hello', '--assignee', 'shell', '--body', 'echo hello')
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Created t_\w{10} {2}\(ready, assignee=shell\)\n$/),
    })
    expect(first.stderr).toContain(`Created your Muster folder: ${home.home}\n`)
    expect(first.stderr).toMatch(/^Muster isn't running. Start it with: muster up$/m)
    expect(statSync(home.home).mode & 0o777).toBe(0o700)
    expect((await home.muster('create', 'Again')).stderr).not.toContain('Created your Muster folder')
  })

  test('`create --each` makes a card for every line, or no card at all', async () => {
    const home = makeTestHome(engine)
    const made = await home.start(['create', '--each', '-'], { stdin: '- one\n\n2. two\n[ ] three\n' }).ended
    expect([made.code, made.stdout]).toEqual([
      0,
      expect.stringMatching(/^t_\w{10} {2}one\nt_\w{10} {2}two\nt_\w{10} {2}three\n$/),
    ])
    const refused = await home.start(['create', '--each', '-'], { stdin: `four\n${'x'.repeat(5_000)}\n` }).ended
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(JSON.parse((await home.muster('list', '--json')).stdout)).toHaveLength(3)
  })

  test('a card with every flag matches the published schema', async () => {
    const home = makeTestHome(engine)
    const parent = await home.create('First', '--tenant', 'acme')
    writeSkill(join(home.home, 'skills'), 'style')
    const argv = [
      ['create', 'Second', '--body', '-', '--parent', parent.id.slice(0, 8), '--workspace', 'dir:/srv/site'],
      ['--check', 'npm test', '--at', '+1d', '--max-runtime', '30m', '--skill', 'style'],
      ['--model', 'large', '--initial-status', 'running', '--reviewer', 'ada', '--hold', '--json'],
    ].flat()
    const { code, stdout, stderr } = await home.start(argv, { stdin: 'über\r\n\x1b[0m' }).ended
    expect([code, stderr]).toEqual([0, ''])
    expect(taskView.strict().parse(JSON.parse(stdout))).toMatchObject({
      body: 'über\r\n\x1b[0m',
      parents: [parent.id],
      status: 'scheduled',
      tenant: 'acme',
      workspace: { kind: 'dir', path: '/srv/site' },
      goal: null,
      checks: ['npm test'],
      held: true,
    })
  })

  test('twenty racing creates with one idempotency key make one card', async () => {
    const home = makeTestHome(engine)
    const racers = Array.from(
      { length: 20 },
      (_, n) => home.start(['create', `Racer ${n}`, '--idempotency-key', 'one', '--json']).ended,
    )
    const results = await Promise.all(racers)
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(results.map(() => [0, '']))
    expect(new Set(results.map(({ stdout }) => taskView.parse(JSON.parse(stdout)).id)).size).toBe(1)
    expect(JSON.parse((await home.muster('list', '--json')).stdout)).toHaveLength(1)
  })

  test('a refused create makes no card and no data folder', async () => {
    const home = makeTestHome(engine)
    const file = join(home.home, '..', 'body')
    writeFileSync(file, Uint8Array.of(0x61, 0x00, 0x62))
    for (const argv of [
      ['', '--json'],
      ['x', '--workspace', 'dir:src', '--json'],
      ['x', '--body', `@${file}`, '--json'],
    ]) {
      const { code, stdout, stderr } = await home.muster('create', ...argv)
      expect([code, stdout]).toEqual([2, ''])
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: expect.any(String) } })
    }
    expect(readdirSync(join(home.home, '..'))).toEqual(['body'])
    expect(await home.muster('list')).toMatchObject({ code: 3 })
  })
})

describe('a data folder without permissions', () => {
  const user = unprivilegedUser()
  /** A copy of the program, because the unprivileged user may have no access to the repository. */
  const installed = mkdtempSync(join(tmpdir(), 'muster-installed-'))
  const driver = 'node_modules/@photostructure/sqlite'

  beforeAll(() => {
    chmodSync(installed, 0o755)
    cpSync(join(BIN, '..'), join(installed, 'dist'), { recursive: true })
    cpSync(join(BIN, '../..', driver), join(installed, driver), { recursive: true, dereference: true })
  })
  afterAll(() => rmSync(installed, { recursive: true, force: true }))

  async function musterAs(home: string, ...argv: string[]) {
    const child = spawn(process.execPath, [join(installed, 'dist/bin.js'), ...argv], {
      env: { PATH: process.env['PATH'], MUSTER_HOME: home, MUSTER_USER: 'ada' },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    await once(child, 'close')
    return { code: child.exitCode, stdout, stderr }
  }

  function folder(): string {
    const made = mkdtempSync(join(tmpdir(), 'muster-locked-'))
    chmodSync(made, 0o755)
    onTestFinished(() => {
      chmodSync(made, 0o700)
      rmSync(made, { recursive: true, force: true })
    })
    return made
  }

  test.each([
    ['created', 0o555, false],
    ['read', 0o000, true],
    ['written', 0o555, true],
  ])('a data folder that cannot be %s is reported in one sentence', async (_, mode, isThere) => {
    const around = folder()
    const home = join(around, 'home')
    if (isThere) mkdirSync(home)
    giveTo(user, around)
    if (isThere) giveTo(user, home)
    chmodSync(isThere ? home : around, mode)
    for (const argv of [['create', 'x'], ['init'], ['list']]) {
      const { code, stdout, stderr } = await musterAs(home, ...argv)
      expect(stdout).toBe('')
      expect(code).toBeGreaterThan(0)
      expect(stderr).toMatch(/^muster: .*\.\n$/)
      expect(stderr).not.toContain('Something went wrong')
    }
    if (isThere) chmodSync(home, 0o700)
  })

  test('a read-only store is reported with the missing permission', async () => {
    const home = join(folder(), 'home')
    mkdirSync(home)
    giveTo(user, home)
    expect(await musterAs(home, 'init')).toMatchObject({ code: 0 })
    chmodSync(home, 0o555)
    chmodSync(join(home, 'muster.db'), 0o444)
    expect((await musterAs(home, 'create', 'x')).stderr).toMatch(/^muster: The store \S+ cannot be written: /)
    expect((await musterAs(home, 'list')).stderr).toMatch(
      /^muster: The store \S+ cannot be read without permission to write in its folder\. /,
    )
    chmodSync(home, 0o700)
  })
})
