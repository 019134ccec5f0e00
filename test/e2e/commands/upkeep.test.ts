// Tests `gc` and `backup` through the real binary.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isTaskId } from '../../../src/core/ids.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import { createBackup } from '../../../src/operations/backups/create-backup.ts'
import { collectGarbage } from '../../../src/operations/machine/collect-garbage.ts'
import { exportStore } from '../../../src/operations/backups/export-store.ts'
import { listBackups } from '../../../src/operations/backups/list-backups.ts'
import { restoreBackup } from '../../../src/operations/backups/restore-backup.ts'
import { verifyBackup } from '../../../src/operations/backups/verify-backup.ts'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import { makeCommandHome } from '../../helpers/cli.ts'
import type { TestHome } from '../../helpers/cli.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'
import { strictOutput } from '../../helpers/strict-output.ts'
import { testHere } from '../../helpers/through-url.ts'

const backupOutput = await strictOutput(createBackup)
const gcOutput = await strictOutput(collectGarbage)
const exportOutput = await strictOutput(exportStore)
const { output: backupsOutput } = await listBackups.schemas()
const restoreOutput = await strictOutput(restoreBackup)
const verifyOutput = await strictOutput(verifyBackup)

const LONG_AGO = new Date(Date.now() - 40 * 86_400_000)

async function gc(home: TestHome, ...flags: string[]) {
  const { code, stdout, stderr } = await home.muster('gc', ...flags, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return gcOutput.parse(JSON.parse(stdout))
}

const inBoard = (home: TestHome, ...steps: string[]): string => join(home.home, 'boards/default', ...steps)

/** Lists all files and folders of the data folder except the database. A dry run must not change them. */
function snapshot(home: TestHome): string[] {
  return readdirSync(home.home, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('muster.db') && name !== 'bell')
    .map((name) => `${name} ${lstatSync(join(home.home, name)).isDirectory() ? 'folder' : 'file'}`)
    .sort()
}

async function finished(home: TestHome, title: string): Promise<TaskId> {
  const card = await home.create(title, '--assignee', 'shell', '--body', 'echo much >out; echo done')
  await home.dispatch('--wait')
  expect(await home.show(card.id)).toMatchObject({ status: 'done' })
  return card.id
}

describe.each(SURFACE_ENGINES)('gc (%s)', (engine) => {
  test('`gc --discard` lists the workspace of one card, and --yes deletes that workspace', async () => {
    const home = makeCommandHome(engine)
    const id = await finished(home, 'Parent')
    const child = await home.create('Child', '--parent', id, '--hold')
    const discard = (of: string, ...flags: string[]) => home.muster('gc', '--discard', of, ...flags)
    for (const flags of [[], ['--yes']]) {
      expect(await discard(child.id, ...flags)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('the card is ready'),
      })
      expect(await discard(id, ...flags)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`card ${child.id} may still need its files`),
      })
    }
    await home.muster('archive', child.id)
    expect((await discard(child.id)).stdout).toBe('Nothing to delete.\n')
    expect(await discard(id)).toMatchObject({
      stdout: expect.stringMatching(/^Would delete:\n {2}1 workspace /),
      stderr: `Nothing was deleted. To delete: muster gc --discard ${id} --yes\n`,
    })
    expect(existsSync(inBoard(home, 'workspaces', id, 'out'))).toBe(true)
    const { stdout } = await discard(id, '--yes')
    const copy = /^Deleted:\n {2}1 workspace [^\n]*\n[^\n]*\ncopied {2}t_\w+: (\S+\.tar\.gz)\n$/.exec(stdout)?.[1]
    expect(existsSync(copy ?? '')).toBe(true)
    const page = (await home.muster('show', id)).stdout
    expect(page).toMatch(/workspace +scratch \(gone\)\n/)
    expect(page).toMatch(/snapshot +\d+ files?, .*\n +restore +muster restore t_\w+\n/)
    expect(page).toMatch(/workspace_swept +\S+ +\S+\.tar\.gz\n/)
    expect((await discard(id)).stdout).toBe('Nothing to delete.\n')
  })

  test('`gc` lists the files to delete, and --yes deletes them', async () => {
    const home = makeCommandHome(engine)
    const [archived, kept] = [await finished(home, 'Archived'), await finished(home, 'Kept')]
    await home.muster('archive', archived)
    const [run] = (await home.show(kept)).runs
    const trashed = await home.create('Trashed')
    const plan = join(home.home, '..', 'plan.md')
    writeFileSync(plan, 'the plan')
    await home.muster('attach', trashed.id, plan)
    await home.muster('attach', kept, plan)
    await home.muster('delete', trashed.id)
    const open = await home.create('Open')
    const orphan = inBoard(home, 'attachments', kept, 'orphan.txt')
    const staged = inBoard(home, 'attachments', '.staged', 'r_0000000000')
    writeFileSync(orphan, 'nobody knows me')
    writeFileSync(inBoard(home, 'attachments', kept, 'fresh.txt'), 'not recorded yet')
    mkdirSync(staged, { recursive: true })
    for (const old of [orphan, staged]) utimesSync(old, LONG_AGO, LONG_AGO)

    // The folder of a parent is kept, because its child is not finished. All other folders are old enough to be
    // deleted.
    await home.create('Waits', '--parent', kept)
    home.env['MUSTER_WORKSPACE_STAYS_MS'] = '1'
    expect(await gc(home)).toMatchObject({ applied: false, events: 0, trash: [], runDirectories: [] })
    await home.setBoard({ trashMs: 0 })
    const all = ['--event-retention-days', '0', '--log-retention-days', '0']
    const before = snapshot(home)
    const rows = await (await home.store()).exportAll()
    const dry = await gc(home, ...all, '--dry-run', '--yes')
    expect(dry).toMatchObject({
      applied: false,
      trash: [{ id: trashed.id, title: 'Trashed', bytes: 8 }],
      workspaces: [{ path: inBoard(home, 'workspaces', archived), bytes: 5 }],
      left: [],
    })
    expect(dry.events).toBeGreaterThan(8)
    expect(dry.runDirectories.map(({ path }) => path)).toContain(join(home.home, 'runs', run?.id ?? ''))
    expect(dry.attachments.map(({ path }) => path).sort()).toEqual([staged, orphan].sort())
    expect(snapshot(home)).toEqual(before)
    expect(await (await home.store()).exportAll()).toEqual(rows)
    const said = await home.muster('gc', ...all)
    expect(said).toMatchObject({ code: 0, stderr: 'Nothing was deleted. To delete: muster gc --yes\n' })
    expect(said.stdout).toContain(`Would delete:\n  ${dry.events} old events of finished cards\n`)

    const done = await gc(home, ...all, '--yes')
    // The same gc also deletes the events of the card that it purges.
    const copied = dry.workspaces.map((one) => ({ ...one, snapshot: expect.stringMatching(/\.tar\.gz$/) as string }))
    expect({ ...done, events: 0 }).toEqual({ ...dry, workspaces: copied, events: 0, applied: true })
    expect(done.events).toBeGreaterThan(dry.events)
    for (const { path } of [...done.workspaces, ...done.runDirectories, ...done.attachments])
      expect([path, existsSync(path)]).toEqual([path, false])
    expect(existsSync(inBoard(home, 'attachments', trashed.id))).toBe(false)
    expect(readdirSync(inBoard(home, 'attachments', kept)).sort()).toEqual(['fresh.txt', 'plan.md'])
    expect(existsSync(inBoard(home, 'workspaces', kept))).toBe(true)
    expect(readdirSync(inBoard(home, 'workspaces')).filter(isTaskId)).toEqual([kept])
    expect(await home.muster('undelete', trashed.id)).toMatchObject({ code: 3 })
    expect((await home.show(open.id)).events).toHaveLength(1)
    expect(await home.show(kept)).toMatchObject({ events: [], attachments: [{ filename: 'plan.md' }] })
    expect(await home.show(archived)).toMatchObject({ workspace: { state: 'gone' } })
    // The next gc finds only the event that the last gc wrote.
    expect(await gc(home, ...all, '--yes')).toMatchObject({ events: 1, bytes: 0, trash: [], workspaces: [] })
    expect((await home.muster('doctor')).stdout).toBe('No problems found.\n')

    // A card whose folder was deleted starts in a new folder.
    delete home.env['MUSTER_WORKSPACE_STAYS_MS']
    await home.muster('reopen', archived)
    await home.dispatch('--wait')
    expect(readFileSync(home.workspace(archived, 'out'), 'utf8')).toBe('much\n')
  })

  test('`gc` removes the oldest scratch folders beyond the size limit', async () => {
    const home = makeCommandHome(engine)
    const [older, newer] = [await finished(home, 'Older'), await finished(home, 'Newer')]
    expect((await gc(home)).workspaces).toEqual([])
    home.env['MUSTER_WORKSPACE_STAYS_BYTES'] = '7'
    const path = inBoard(home, 'workspaces', older)
    expect((await gc(home)).workspaces).toMatchObject([{ path, bytes: 5 }])
    expect(existsSync(path)).toBe(true)
    expect((await gc(home, '--yes')).workspaces).toMatchObject([{ path, bytes: 5 }])
    expect(readdirSync(inBoard(home, 'workspaces')).filter(isTaskId)).toEqual([newer])
  })

  test('`gc` keeps files that are in use, needed, or not made by Muster', async () => {
    const home = makeCommandHome(engine)
    const parent = await finished(home, 'Parent')
    const child = await home.create('Child', '--parent', parent)
    const body = 'touch begun; while :; do sleep 0.2; done'
    const live = await home.create('Live', '--assignee', 'shell', '--body', body)
    await home.dispatch()
    const { run } = await home.liveRun(live.id)
    await home.muster('archive', parent)
    const elsewhere = join(home.home, '..', 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'precious'), 'mine')
    // Makes a link in place of a workspace, folders without a card, and a run and files of another store.
    const linked = await finished(home, 'Linked')
    await home.muster('archive', linked)
    rmSync(inBoard(home, 'workspaces', linked), { recursive: true })
    symlinkSync(elsewhere, inBoard(home, 'workspaces', linked))
    for (const strange of ['workspaces/notes', 'workspaces/t_zzzzzzzzzz', 'attachments/t_zzzzzzzzzz'])
      mkdirSync(inBoard(home, strange), { recursive: true })
    const strangeFile = inBoard(home, 'attachments/t_zzzzzzzzzz/file')
    writeFileSync(strangeFile, 'of another store')
    const strangeRun = join(home.home, 'runs', 'r_zzzzzzzzzz')
    mkdirSync(strangeRun)
    for (const old of [strangeFile, strangeRun]) utimesSync(old, LONG_AGO, LONG_AGO)

    home.env['MUSTER_WORKSPACE_STAYS_MS'] = '1'
    const report = await gc(home, '--event-retention-days', '0', '--log-retention-days', '0', '--yes')
    expect(report).toMatchObject({ workspaces: [], attachments: [], trash: [] })
    expect(report.left).toMatchObject([{ path: strangeRun }])
    expect(report.runDirectories.map(({ path }) => path)).not.toContain(join(home.home, 'runs', run.id))
    expect(readFileSync(join(elsewhere, 'precious'), 'utf8')).toBe('mine')
    for (const path of [strangeFile, strangeRun, inBoard(home, 'workspaces', parent), home.workspace(live.id, 'begun')])
      expect([path, existsSync(path)]).toEqual([path, true])
    expect((await home.show(live.id)).events.length).toBeGreaterThan(0)

    await home.muster('complete', child.id)
    const after = await gc(home, '--yes')
    expect(after.workspaces).toMatchObject([{ path: inBoard(home, 'workspaces', parent) }])
    expect(await gc(home, '--board', 'default')).toMatchObject({ workspaces: [] })
    expect(await home.muster('gc', '--board', 'nowhere')).toMatchObject({ code: 3 })
  })
})

test('`backup` and `gc` without --yes commit nothing to the store', async () => {
  const home = makeCommandHome('sqlite')
  await home.create('A card')
  const side = connect(join(home.home, 'muster.db'), 'rw')
  onTestFinished(() => side.close())
  const version = () => side.query({ strings: ['pragma data_version'], values: [] })
  const before = version()
  for (const command of [['gc'], ['backup'], ['backup', 'list'], ['backup', 'export'], ['backup', 'create']])
    expect([command, (await home.muster(...command)).code]).toEqual([command, 0])
  expect(version()).toEqual(before)
})

/** Fills the store with two linked cards, a comment and metadata. */
async function fillStore(home: TestHome): Promise<TaskId> {
  const card = await home.create('A card', '--body', 'ü\u2028\n"quoted"')
  await home.muster('comment', card.id, 'a word')
  await home.muster('complete', card.id, '--metadata', '{"z":1,"a":[1,2]}')
  await home.create('Another', '--parent', card.id)
  return card.id
}

describe('backup (sqlite)', () => {
  test('a backup can be created, listed, verified and restored', async () => {
    const home = makeCommandHome('sqlite')
    expect(await home.muster('backup', 'create')).toMatchObject({ code: 3, stdout: '' })
    expect(existsSync(home.home)).toBe(false)
    const card = await fillStore(home)
    expect(await home.muster('backup', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
    const made = await home.muster('backup', 'create', '--json')
    expect([made.code, made.stderr]).toEqual([0, ''])
    const backup = backupOutput.parse(JSON.parse(made.stdout))
    expect(backup.name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/)
    expect(backup.path).toBe(join(home.home, 'backups', backup.name))
    expect(statSync(backup.path)).toMatchObject({ size: backup.bytes })
    expect([statSync(backup.path).mode & 0o777, statSync(join(backup.path, '..')).mode & 0o777]).toEqual([0o600, 0o700])
    const later = await home.muster('backup', 'create')
    expect(later.stdout).toMatch(/^Created and verified backup \/.*\.db \(\d+ KB\)\.\n$/)
    const listed = backupsOutput.parse(JSON.parse((await home.muster('backup', 'list', '--json')).stdout))
    expect(
      listed
        .map(({ name }) => name)
        .sort()
        .reverse(),
    ).toEqual(listed.map(({ name }) => name))
    expect(listed.at(-1)).toEqual({
      name: backup.name,
      path: backup.path,
      bytes: backup.bytes,
      createdAt: backup.createdAt,
    })

    const checked = await home.muster('backup', 'verify', backup.name, '--json')
    expect(verifyOutput.parse(JSON.parse(checked.stdout))).toMatchObject({ ok: true, cards: 2, boards: 1 })
    expect((await home.muster('backup', 'verify', backup.path)).stdout).toContain('is valid: 2 cards on 1 board.')

    const lost = await home.create('Made after the backup')
    const plan = await home.muster('backup', 'restore', backup.name, '--json')
    expect([plan.code, plan.stderr]).toEqual([1, ''])
    expect(restoreOutput.parse(JSON.parse(plan.stdout))).toMatchObject({
      restored: false,
      cards: 2,
      replaces: { cards: 3, openRuns: 0, dispatcher: false },
      saved: null,
    })
    expect((await home.muster('backup', 'restore', backup.name)).stderr).toContain('add --yes')
    expect(await home.muster('show', lost.id)).toMatchObject({ code: 0 })

    const done = await home.muster('backup', 'restore', backup.name, '--yes', '--json')
    const restored = restoreOutput.parse(JSON.parse(done.stdout))
    expect([done.code, restored.restored]).toEqual([0, true])
    expect(await home.muster('show', lost.id)).toMatchObject({ code: 3 })
    expect(await home.show(card)).toMatchObject({ status: 'done', comments: [{ body: 'a word' }] })
    await home.muster('backup', 'restore', restored.saved ?? '', '--yes')
    expect(await home.show(lost.id)).toMatchObject({ title: 'Made after the backup' })
    expect((await home.muster('doctor')).code).toBe(0)
  })

  test('`backup restore` needs --force while a dispatcher or a run is live', async () => {
    const home = makeCommandHome('sqlite')
    await fillStore(home)
    const file = join(home.home, '..', 'copy.db')
    expect(await home.muster('backup', 'create', '--to', file)).toMatchObject({ code: 0 })
    const body = 'touch begun; while :; do sleep 0.2; done'
    const live = await home.create('Live', '--assignee', 'shell', '--body', body)
    await home.dispatch()
    const { run } = await home.liveRun(live.id)
    const refused = await home.muster('backup', 'restore', file, '--yes')
    expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('1 run is open') })
    const inUse = join(home.home, '..', 'in-use.db')
    await home.muster('backup', 'create', '--to', inUse)
    expect((await home.muster('backup', 'verify', inUse)).code).toBe(0)
    await home.muster('reclaim', live.id)

    const up = home.start(['up'])
    await home.until('it dispatches', () => up.output().includes('Running cards'))
    expect(await home.muster('backup', 'restore', file, '--yes')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Muster is running'),
    })
    up.child.kill('SIGINT')
    await up.ended
    const forced = await home.muster('backup', 'restore', inUse, '--yes', '--force', '--json')
    expect(JSON.parse(forced.stdout)).toMatchObject({ restored: true, interruptedRuns: 1 })
    expect(await home.show(live.id)).toMatchObject({ runs: [{ id: run.id, outcome: 'interrupted' }] })
  })

  test('the error for a missing store names a restore command that works', async () => {
    const home = makeCommandHome('sqlite')
    const card = await home.create('Keep me')
    await home.muster('backup', 'create')
    for (const tail of ['', '-wal', '-shm']) rmSync(join(home.home, `muster.db${tail}`), { force: true })
    const { code, stderr } = await home.muster('list')
    expect([code, stderr]).toEqual([3, expect.stringMatching(/is missing\. .* muster backup restore \S+ --yes\n$/)])
    expect(await home.muster('create', 'New')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Muster uses a new, empty store'),
    })
    const [, ...words] = (/muster backup restore .*/.exec(stderr)?.[0] ?? '').split(' ')
    expect(await home.muster(...words)).toMatchObject({ code: 0 })
    expect((await home.muster('list')).stdout).toContain(card.id)
  })

  test('a missing, damaged or foreign backup is reported in one sentence', async () => {
    const home = makeCommandHome('sqlite')
    await fillStore(home)
    const at = (name: string): string => join(home.home, '..', name)
    await home.muster('backup', 'create', '--to', at('good.db'))
    await home.muster('backup', 'create', '--to', at('short.db'))
    truncateSync(at('short.db'), 8192)
    writeFileSync(at('text.db'), 'nonsense '.repeat(1000))
    const other = connect(at('other.db'), 'rwc')
    other.exec('create table mine (x)')
    await other.close()
    mkdirSync(at('folder'))
    const cases: [number, string, string[]][] = [
      [3, 'There is no backup at', ['verify', 'nothing']],
      [3, 'muster backup list', ['restore', at('nothing.db'), '--yes']],
      [3, 'is not a file', ['verify', at('folder')]],
      [1, 'is damaged', ['verify', at('short.db')]],
      [1, 'is damaged', ['restore', at('text.db'), '--yes']],
      [1, 'is not a backup of a Muster store', ['verify', at('other.db')]],
      [2, 'already exists', ['create', '--to', at('good.db')]],
      [2, 'There is no folder', ['create', '--to', at('no/such/x.db')]],
      [2, 'already exists', ['export', '--to', at('good.db')]],
      [2, 'does not exist', ['export', '--to', at('no/such/x.json')]],
      [2, 'Unknown command "backup creat". Did you mean muster backup create?', ['creat']],
    ]
    for (const [exit, words, args] of cases) {
      const { code, stdout, stderr } = await home.muster('backup', ...args)
      expect([args, code, stdout]).toEqual([args, exit, ''])
      expect(stderr).toMatch(/^muster: [^\n]*\n$/)
      expect(stderr).toContain(words)
    }
    expect(readdirSync(at('.')).filter((name) => name.includes('.part.'))).toEqual([])
    expect((await home.muster('list', '--json')).code).toBe(0)
  })

  test('`backup restore` replaces a damaged store and keeps a copy of the damaged file', async () => {
    const home = makeCommandHome('sqlite')
    const card = await fillStore(home)
    const file = join(home.home, '..', 'copy.db')
    await home.muster('backup', 'create', '--to', file)
    writeFileSync(join(home.home, 'muster.db'), 'this was a database once')
    expect(await home.muster('list')).toMatchObject({ code: 1, stderr: expect.stringContaining('muster backup list') })
    const { code, stdout } = await home.muster('backup', 'restore', file, '--yes', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { restored: true, replaces: null, saved: null }])
    expect(await home.show(card)).toMatchObject({ status: 'done' })
    expect(readdirSync(home.home).filter((name) => /\.corrupt\..*\.bak$/.test(name))).toHaveLength(1)
  })
})

describe.each(SURFACE_ENGINES)('backup export (%s)', (engine) => {
  test('`backup export` prints the whole store as one JSON document', async () => {
    const home = makeCommandHome(engine)
    const card = await fillStore(home)
    const first = await home.muster('backup', 'export')
    expect([first.code, first.stderr]).toEqual([0, ''])
    const whole: unknown = JSON.parse(first.stdout)
    expect(first.stdout).toBe(`${JSON.stringify(whole, null, 2)}\n`)
    expect(whole).toMatchObject({
      format: 'muster-export',
      version: 1,
      tables: { board: [{ slug: 'default' }], comment: [{ taskId: card, body: 'a word' }], attachment: [] },
    })
    const to = join(home.home, '..', 'board.json')
    const { code, stdout } = await home.muster('backup', 'export', '--to', to, '--json')
    expect([code, exportOutput.parse(JSON.parse(stdout))]).toMatchObject([
      0,
      { path: to, bytes: Buffer.byteLength(first.stdout), rows: { task: 2, link: 1 } },
    ])
    expect(readFileSync(to, 'utf8')).toBe(first.stdout)
    expect(statSync(to).mode & 0o777).toBe(0o600)
  })
})

testHere('a store restored on another machine exports the same bytes', async () => {
  const [home, elsewhere] = [makeCommandHome('sqlite'), makeCommandHome('sqlite')]
  await fillStore(home)
  const file = join(home.home, '..', 'copy.db')
  await home.muster('backup', 'create', '--to', file)
  const { code, stdout } = await elsewhere.muster('backup', 'restore', file, '--yes', '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { restored: true, replaces: null, saved: null }])
  const modes = [elsewhere.home, join(elsewhere.home, 'muster.db')].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o700, 0o600])
  const [here, there] = [await home.muster('backup', 'export'), await elsewhere.muster('backup', 'export')]
  expect(there.stdout).toBe(here.stdout)
})

test('`backup` of a PostgreSQL store names pg_dump', async () => {
  const home = makeCommandHome('postgres')
  await home.create('A card')
  for (const command of [['create'], ['list'], ['verify', 'x'], ['restore', 'x', '--yes']]) {
    const { code, stdout, stderr } = await home.muster('backup', ...command, '--json')
    expect([command, code, stdout]).toEqual([command, 1, ''])
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'not_supported', message: expect.stringContaining('pg_dump') },
    })
  }
  expect(existsSync(join(home.home, 'backups'))).toBe(false)
})

test('`gc` removes old logs of earlier stores, but no other file', async () => {
  const home = makeCommandHome('sqlite')
  await home.muster('init')
  const beside = (name: string): string => join(home.home, name)
  const [old, fresh, other] = ['muster.db-wal.left-20200102T030405678Z', freshLog(), 'muster.db-wal.left-mine'] as const
  for (const name of [old, fresh, other]) writeFileSync(beside(name), 'log')
  expect((await gc(home)).storeLogs).toEqual([{ path: beside(old), bytes: 3 }])
  expect((await home.muster('gc', '--yes')).stdout).toContain('1 log of an earlier store')
  expect([old, fresh, other].map((name) => existsSync(beside(name)))).toEqual([false, true, true])
})

const freshLog = (): string => `muster.db-wal.left-${new Date().toISOString().replace(/[-:.]/g, '')}`
