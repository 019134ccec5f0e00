// Tests commands on a disk that becomes full while they run.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { BIN, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { ENGINES } from '../helpers/stores.ts'
import { alterWorld } from '../helpers/world.ts'

test.each(ENGINES)('`why`, `doctor` and `create` report a full disk (%s)', async (engine) => {
  const home = makeTestHome(engine)
  const world = alterWorld(home)
  const create = ['create', 'one', '--assignee', 'shell', '--body', 'true'] as const
  expect((await home.muster(...create)).stderr).not.toContain('full')
  world.set({ disk: 'full' })
  const { stdout, stderr } = await home.muster(...create)
  const full = `The disk that holds ${home.home} is full.`
  expect(stderr).toContain(`The card waits: ${full}\n  → Free some space`)
  const id = (/t_\w+/.exec(stdout)?.[0] ?? '') as TaskId
  expect((await home.muster('why', id)).stdout).toContain(`${full}\n`)
  const { reasons } = JSON.parse((await home.muster('why', id, '--json')).stdout) as { reasons: object[] }
  expect(reasons).toContainEqual(expect.objectContaining({ code: 'disk_full', params: { folder: home.home } }))
  const checked = await home.muster('doctor', '--json')
  expect([checked.code, JSON.parse(checked.stdout)]).toMatchObject([
    1,
    [{ rule: 'disk_full', message: `The disk that holds ${home.home} is full: free some space.` }],
  ])
  world.set({ disk: 'writable' })
  expect(await home.muster('doctor')).toMatchObject({ code: 0 })
  expect((await home.muster('why', id)).stdout).not.toContain('full')
})

/** The variable that skips these tests on a Linux machine that has no small disk to fill. */
const LEFT_OUT = 'MUSTER_TEST_NO_SMALL_DISK'
const SMALL_BYTES = 128 * 1024 * 1024

/** Runs a script with `sh`, with the data folder on a small disk. */
type OnSmallDisk = (script: string) => string

/**
 * Finds a small disk: a mount that only this script sees, if the machine allows mounts. Most containers do not allow
 * them, but their /dev/shm is small.
 */
function findSmallDisk(home: TestHome): OnSmallDisk {
  const env = { ...home.env, HOME: home.home }
  const run = (program: string, args: readonly string[], folder = home.home): string =>
    spawnSync(program, args, { env: { ...env, MUSTER_HOME: folder }, encoding: 'utf8' }).stdout
  const mount = 'mkdir -p "$MUSTER_HOME" && mount -t tmpfs -o size=2m tmpfs "$MUSTER_HOME" && echo mounted'
  if (run('unshare', ['-rm', 'sh', '-c', mount]) === 'mounted\n')
    return (script) => run('unshare', ['-rm', 'sh', '-c', `(${mount}) >&2\n${script}`])
  if (!isSmallDisk('/dev/shm'))
    throw new Error(
      `This test needs a small disk, but unshare -rm cannot mount one here, and /dev/shm is larger than 128 MB. Allow user namespaces, or set ${LEFT_OUT}=1 to leave the test out.`,
    )
  const folder = mkdtempSync('/dev/shm/muster-full-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return (script) => run('sh', ['-c', script], folder)
}

function isSmallDisk(path: string): boolean {
  if (!existsSync(path)) return false
  const { blocks, bsize } = statfsSync(path)
  return blocks > 0 && blocks * bsize <= SMALL_BYTES
}

// Whether these tests are skipped. Other systems have neither mount namespaces nor /dev/shm.
const isLeftOut = process.platform !== 'linux' || process.env[LEFT_OUT] !== undefined

test.skipIf(isLeftOut)('every command reports a full disk with the same message', () => {
  const home = makeTestHome('sqlite')
  const onSmallDisk = findSmallDisk(home)
  const lines = [
    ['list'],
    ['create', 'two'],
    ['doctor'],
    ['boards', 'switch', 'default'],
    ['backup', 'create'],
    ['dispatch'],
    ['agents', 'add', 'helper', '--harness', 'claude'],
    ['mcp', 'install', 'codex'],
  ]
  const muster = `"${process.execPath}" "${BIN}"`
  const script = [
    `${muster} init >&2 && ${muster} create one >&2`,
    'dd if=/dev/zero of="$MUSTER_HOME/fill" bs=1k 2>/dev/null',
    ...lines.map((words) => `${muster} ${words.join(' ')} 2>&1`),
    `MUSTER_HOME="$MUSTER_HOME/other" ${muster} init 2>&1`,
  ].join('\n')
  const printed = onSmallDisk(script).trimEnd().split('\n')
  expect(printed).toHaveLength(lines.length + 1)
  for (const line of printed) expect(line).toMatch(/^muster: The disk that holds \/\S+ is full: free some space\.$/)
})

describe('a disk with hardly any space left', () => {
  /** Runs a command that cannot write files of more than the given number of bytes. */
  function withLimit(home: TestHome, bytes: number, ...args: string[]) {
    const script = `ulimit -f ${Math.floor(bytes / 512)}; exec "$@"`
    return spawnSync('sh', ['-c', script, 'sh', process.execPath, BIN, ...args], { env: home.env, encoding: 'utf8' })
  }

  test('a card is reported as created if only the closing of the store fails', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    const database = join(home.home, 'muster.db')
    // With this limit, the card fits into the log, but the checkpoint does not fit into the database.
    const { status, stdout, stderr } = withLimit(
      home,
      statSync(database).size,
      'create',
      'one',
      '--body',
      'x'.repeat(9_000),
      '--json',
    )
    expect([status, JSON.parse(stderr)]).toMatchObject([0, { warning: { code: 'store_io' } }])
    const { id } = JSON.parse(stdout) as { id: TaskId }
    expect((await home.show(id)).title).toBe('one')
  })

  // Only Linux has a device that is always full.
  test.skipIf(!existsSync('/dev/full'))(
    'a result that cannot be printed reports that the command succeeded',
    async () => {
      const home = makeTestHome('sqlite')
      await home.runInline('init')
      const full = openSync('/dev/full', 'w')
      onTestFinished(() => closeSync(full))
      const run = (...args: string[]) =>
        spawnSync(process.execPath, [BIN, ...args], {
          env: home.env,
          encoding: 'utf8',
          stdio: ['ignore', full, 'pipe'],
        })
      expect(run('create', 'one')).toMatchObject({
        status: 1,
        stderr: "muster: Can't write output: the disk is full. The command itself succeeded.\n",
      })
      expect(run('list')).toMatchObject({ status: 1, stderr: "muster: Can't write output: the disk is full.\n" })
    },
  )
})
