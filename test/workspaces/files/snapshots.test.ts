import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { loadOptions } from '../../../src/config/load.ts'
import type { VerbInput } from '../../../src/core/transitions/index.ts'
import { garbageLines } from '../../../src/cli/render/garbage.ts'
import { collectGarbage } from '../../../src/operations/machine/collect-garbage.ts'
import { restoreSnapshotOf } from '../../../src/operations/workspaces/restore-snapshot.ts'
import { identify, thisHost } from '../../../src/processes/identity.ts'
import { sweepProcess } from '../../../src/workspaces/sweep/sweep-process.ts'
import { archiveFolder, listSnapshots, restoreSnapshot } from '../../../src/workspaces/files/snapshots.ts'
import { sweepFiles } from '../../../src/file-helper/call-file-helper.ts'
import { sweepWorkspace } from '../../../src/workspaces/sweep/sweep-workspace.ts'
import { makeCardFolder } from '../../../src/workspaces/workspaces-root.ts'
import { attachmentOf, card, clockwork, person } from '../../helpers/sample.ts'
import { openTestStore, testFolder } from '../../helpers/stores.ts'
import { Desk } from '../../storage/desk.ts'

const id = card('a')
type Kind = NonNullable<VerbInput<'create'>['cards'][number]['workspace']>

/** Makes a finished card, and functions that make, sweep, restore and discard its workspace. */
async function setUp(workspace?: Kind) {
  const home = testFolder()
  const opened = await openTestStore('sqlite')
  const desk = await Desk.open(opened)
  const place = { home, board: 'main', task: id }
  await desk.card('a', workspace === undefined ? {} : { workspace })
  await desk.complete(id)
  const here = { process: sweepProcess(thisHost()), files: sweepFiles, machine: 'laptop' }
  const sweeper = { store: desk.store, home, actor: clockwork, protectedPaths: async () => [], ...here }
  const options = await loadOptions({ MUSTER_HOME: home })
  const local = {
    options,
    actor: person,
    openStore: (mode: 'create' | 'write' | 'read') => opened.again({ mode }),
    env: {},
    dispatcher: () => Promise.reject(new Error('this test has no dispatcher')),
  }
  return {
    home,
    desk,
    place,
    at: (...steps: string[]) => join(home, 'boards', 'main', 'workspaces', id, ...steps),
    make: () => makeCardFolder(place),
    sweep: (how?: { discard: boolean }) => sweepWorkspace(sweeper, { board: 'main', id }, how),
    state: async () => (await desk.task(id)).workspace.state,
    restore: async () => {
      const to = join(testFolder(), 'back')
      await restoreSnapshotOf.run(local, { task: id, to, snapshot: null })
      return to
    },
    gc: (discard: string | null = null, snapshotsOlderMs = Infinity) =>
      collectGarbage.run(local, {
        apply: true,
        eventsOlderMs: 0,
        logsOlderMs: 0,
        snapshotsOlderMs,
        discard,
        board: null,
      }),
  }
}

const BYTES = Buffer.from([0, 1, 13, 10, 255, 254, 13, 10, 10])

/** Returns every file and link below a folder with its content, except `.git`. */
function contentOf(folder: string, inside = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(folder, inside)).filter((one) => one !== '.git')) {
    const path = join(inside, name)
    const stat = lstatSync(join(folder, path))
    if (stat.isDirectory()) Object.assign(found, contentOf(folder, path))
    else if (stat.isSymbolicLink()) found[path] = `→ ${readlinkSync(join(folder, path))}`
    else found[path] = `${(stat.mode & 0o100) !== 0} ${readFileSync(join(folder, path)).toString('hex')}`
  }
  return found
}

/** Writes files that a worker may leave: unusual names, unusual bytes, programs, broken links. */
function writeOddFiles(folder: string): void {
  mkdirSync(join(folder, 'deep', 'er'), { recursive: true })
  for (const name of ['plain', 'two\nlines', 'a "quote" \\', 'ümlaut', ' -rf', join('deep', 'er', 'file')])
    writeFileSync(join(folder, name), Buffer.concat([BYTES, Buffer.from(name)]))
  writeFileSync(join(folder, 'empty'), '')
  writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\r\nexit 0\r\n')
  chmodSync(join(folder, 'run.sh'), 0o755)
  symlinkSync('nowhere\nat all', join(folder, 'link'))
}

/** Makes nested folders, until the path is too long for a system call. */
const makeDeep = (folder: string, file: string): void => {
  const step = 'd'.repeat(200)
  const script = `i=0; while [ $i -lt 25 ]; do mkdir ${step}; cd -P ${step} || exit 1; i=$((i+1)); done; echo deep >${file}`
  execFileSync('bash', ['-c', script], { cwd: folder })
}

describe('sweeping a scratch folder', () => {
  test('a scratch folder with unreadable files is kept, and the reason is reported', async () => {
    const { make, at, sweep, state, gc } = await setUp()
    await make()
    makeDeep(at(), 'work')
    expect(await sweep()).toMatchObject({ state: 'kept', reason: expect.stringContaining('cannot be read') })
    expect([await state(), existsSync(at())]).toEqual(['kept', true])
    // A person can still discard the folder.
    expect((await gc(id)).workspaces).toMatchObject([{ snapshot: null, uncopied: expect.stringContaining('be read') }])
    expect(existsSync(at())).toBe(false)
  })

  test('files below a folder name that is not UTF-8 are copied', async () => {
    const { make, at, sweep, restore } = await setUp()
    await make()
    const odd = (folder: string): Buffer => Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])])
    mkdirSync(odd(at()))
    writeFileSync(Buffer.concat([odd(at()), Buffer.from('/work')]), 'precious')
    expect(await sweep()).toMatchObject({ state: 'gone', snapshot: expect.stringContaining('.tar.gz') })
    expect(readFileSync(Buffer.concat([odd(await restore()), Buffer.from('/work')]), 'utf8')).toBe('precious')
  })

  test('a scratch folder is copied only once if two processes sweep it', async () => {
    const { make, at, sweep, place, gc, desk } = await setUp()
    await make()
    writeFileSync(at('work'), 'x')
    // Records that the dispatcher is sweeping the folder.
    const dispatcher = JSON.stringify(identify(thisHost(), process.ppid))
    await desk.ok('sweep', { task: id, stage: 'begin', by: dispatcher }, clockwork)
    expect(await sweep()).toMatchObject({ state: 'refused', reason: expect.stringContaining('another process') })
    const collected = gc(id)
    const made = await archiveFolder(place, at(), { files: 1, bytes: 1 })
    rmSync(at(), { recursive: true })
    await desk.ok('sweep', { task: id, stage: 'end', by: dispatcher, snapshot: made.path }, clockwork)
    expect((await collected).left).toEqual([])
    expect(await listSnapshots(place)).toEqual([made])
    const swept = (await desk.store.taskEvents('main', id)).filter(({ kind }) => kind === 'workspace_swept')
    expect(swept).toMatchObject([{ data: { snapshot: made.path } }])
  })

  test('an interrupted sweep is finished, and its unfinished archive removed', async () => {
    const { make, at, sweep, home, desk } = await setUp()
    await make()
    writeFileSync(at('work'), 'x')
    const dead = JSON.stringify({ ...identify(thisHost(), process.pid), startTime: 'long ago' })
    await desk.ok('sweep', { task: id, stage: 'begin', by: dead }, clockwork)
    const keep = join(home, 'boards', 'main', 'snapshots', id)
    mkdirSync(keep, { recursive: true })
    for (const name of ['.part-20260101T000000000Z-abcd', '.index-x', '20260101T000000000Z-abcd.tar.gz'])
      writeFileSync(join(keep, name), 'half')
    expect(await sweep()).toMatchObject({ state: 'gone' })
    expect(readdirSync(keep).map((name) => name.replace(/^.*-[0-9a-f]{4}\./, ''))).toEqual(['json', 'tar.gz'])
  })

  test('a swept scratch folder is restored byte for byte', async () => {
    const { make, at, sweep, state, place, restore, desk } = await setUp()
    await make()
    writeOddFiles(at())
    const before = contentOf(at())
    const { state: swept, snapshot } = await sweep()
    expect([swept, await state(), existsSync(at())]).toEqual(['gone', 'gone', false])
    const [known] = await listSnapshots(place)
    expect(known).toMatchObject({ kind: 'archive', path: snapshot, files: Object.keys(before).length })
    expect(await desk.lastEvent(id)).toMatchObject({ kind: 'workspace_swept', data: { snapshot } })
    expect(contentOf(await restore())).toEqual(before)
  })

  test('a scratch folder with only attached files is not copied', async () => {
    const { make, at, sweep, place, desk, restore } = await setUp()
    await make()
    writeFileSync(at('report'), BYTES)
    const sha256 = createHash('sha256').update(BYTES).digest('hex')
    const file = { id: attachmentOf('x'), taskId: id, filename: 'report', storedPath: `${id}/report` }
    await desk.ok('attach', { ...file, size: BYTES.length, contentType: null, sha256 })
    expect(await sweep()).toMatchObject({ state: 'gone', reason: null, snapshot: null })
    expect(await listSnapshots(place)).toEqual([])
    await expect(restore()).rejects.toMatchObject({ code: 'snapshot_not_found' })
  })

  test('a file that differs from its attachment in one byte is copied', async () => {
    const { make, at, sweep, desk } = await setUp()
    await make()
    writeFileSync(at('report'), 'b')
    const sha256 = createHash('sha256').update('a').digest('hex')
    const file = { id: attachmentOf('x'), taskId: id, filename: 'report', storedPath: `${id}/report` }
    await desk.ok('attach', { ...file, size: 1, contentType: null, sha256 })
    expect((await sweep()).snapshot).toMatch(/\.tar\.gz$/)
  })

  test('a folder that is too large to copy is kept until a person discards it', async () => {
    const { make, at, sweep, state, gc, desk } = await setUp()
    await make()
    writeFileSync(at('model'), '')
    truncateSync(at('model'), 101 * 1024 * 1024)
    expect(await sweep()).toMatchObject({ state: 'kept', reason: expect.stringContaining('101 MB') })
    expect(await desk.lastEvent(id)).toMatchObject({ kind: 'workspace_kept' })
    expect(await sweep()).toMatchObject({ state: 'kept', reason: 'it was kept' })
    expect((await gc()).left).toMatchObject([{ path: at(), reason: expect.stringContaining('gc --discard') }])
    expect([await state(), existsSync(at('model'))]).toEqual(['kept', true])
    const given = await gc(id)
    expect(given).toMatchObject({ workspaces: [{ path: at(), snapshot: null }], left: [] })
    expect(garbageLines(given)).toContain(`\nno copy ${id}: the folder has 101 MB`)
    expect([await state(), existsSync(at())]).toEqual(['gone', false])
  })

  test('old snapshots are removed, but the newest snapshot stays until its card is archived', async () => {
    const { desk, place, gc, home } = await setUp()
    const folder = testFolder()
    for (const _ of ['first', 'second', 'third']) await archiveFolder(place, folder, { files: 1, bytes: 1 })
    const keep = join(home, 'boards', 'main', 'snapshots', id)
    const foreign = { id: '../../../muster.db', kind: 'archive', path: '/etc/passwd', takenAt: 0 }
    writeFileSync(join(keep, '0.json'), JSON.stringify(foreign))
    const paths = (await listSnapshots(place)).slice(1).map(({ path }) => path)
    expect((await gc(null, 3_600_000)).snapshots).toEqual([])
    const old = await gc(null, 0)
    expect(old.snapshots.map(({ path }) => path)).toEqual(paths.slice(0, 2))
    expect(garbageLines(old)).toContain('\n  2 old snapshots of workspaces\n')
    expect(readdirSync(keep).sort()).toHaveLength(3)
    expect((await listSnapshots(place)).at(-1)?.path).toBe(paths[2])
    await desk.ok('archive', { task: id })
    expect((await gc(null, 0)).snapshots).toMatchObject([{ path: paths[2] }])
    expect(readdirSync(keep)).toEqual(['0.json'])
  })

  test('a snapshot is not restored over existing files', async () => {
    const { make, at, sweep, restore, place, home } = await setUp()
    await make()
    writeFileSync(at('file'), 'x')
    await sweep()
    await restore()
    const [known] = await listSnapshots(place)
    const occupied = testFolder()
    writeFileSync(join(occupied, 'mine'), 'x')
    if (known === undefined) throw new Error('there is no snapshot')
    await expect(restoreSnapshot(place.home, known, occupied)).rejects.toThrow(/not empty/)
    await expect(restoreSnapshot(place.home, known, join(occupied, 'mine'))).rejects.toThrow(/not a folder/)
    expect(readdirSync(join(home, 'boards', 'main', 'snapshots', id))).toHaveLength(2)
  })

  test('a link in place of the scratch folder is kept, and so is its target', async () => {
    const { make, at, sweep, state } = await setUp()
    await make()
    rmSync(at(), { recursive: true })
    const mine = testFolder()
    writeFileSync(join(mine, 'thesis'), 'years of work')
    symlinkSync(mine, at())
    expect(await sweep()).toMatchObject({ state: 'kept', reason: expect.stringContaining('a link or a file') })
    expect([await state(), readFileSync(join(mine, 'thesis'), 'utf8')]).toEqual(['kept', 'years of work'])
  })
})

describe('sweeping a worktree', () => {
  async function withWorktree() {
    const repo = join(testFolder(), 'repo')
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', repo, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    mkdirSync(repo)
    git('init', '-q', '-b', 'main')
    // The repository converts line endings and ignores a file.
    writeFileSync(join(repo, '.gitattributes'), '* text=auto eol=crlf\n')
    writeFileSync(join(repo, '.gitignore'), 'ignored\n')
    writeFileSync(join(repo, 'tracked'), 'one\n')
    git('add', '.')
    git('commit', '-qm', 'first')
    const made = await setUp({ kind: 'worktree', path: null, repo })
    await made.make()
    rmSync(made.at(), { recursive: true })
    git('worktree', 'add', '-q', '-b', `muster/${id}`, made.at())
    const inTree = (...args: string[]): string => git('-C', made.at(), ...args)
    return { ...made, repo, git, inTree }
  }

  test('a worktree without changes is removed, and its branch stays', async () => {
    const { at, sweep, git, place } = await withWorktree()
    expect(await sweep()).toMatchObject({ state: 'gone', reason: null, snapshot: null })
    expect(existsSync(at())).toBe(false)
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    expect(git('branch', '--list', `muster/${id}`)).toContain(id)
    expect(await listSnapshots(place)).toEqual([])
  })

  test('a sweep keeps git’s record of a worktree that the user moved', async () => {
    const { sweep, git, repo } = await withWorktree()
    const [away, elsewhere] = [join(testFolder(), 'away'), join(testFolder(), 'elsewhere')]
    git('worktree', 'add', '-q', '-b', 'mine', away)
    renameSync(away, elsewhere)
    expect(await sweep()).toMatchObject({ state: 'gone' })
    expect(git('worktree', 'list', '--porcelain').match(/^worktree .*$/gm)).toEqual([
      `worktree ${realpathSync(repo)}`,
      expect.stringContaining('/away'),
    ])
  })

  test('a worktree with commits is kept until its branch has landed', async () => {
    const { at, sweep, state, git, inTree, desk } = await withWorktree()
    writeFileSync(at('new'), 'x')
    inTree('add', '.')
    inTree('commit', '-qm', 'work')
    expect(await sweep()).toMatchObject({ state: 'kept', reason: expect.stringContaining('not landed') })
    expect(await sweep()).toMatchObject({ state: 'kept' })
    expect((await desk.kinds(id)).filter((kind) => kind === 'workspace_kept')).toHaveLength(1)
    expect([await state(), existsSync(at('new'))]).toEqual(['kept', true])
    git('merge', '-q', `muster/${id}`)
    expect(await sweep()).toMatchObject({ state: 'gone', snapshot: null })
    expect(existsSync(at())).toBe(false)
  })

  test('a worktree is kept while a submodule has commits that no remote has', async () => {
    const { at, sweep, git, inTree } = await withWorktree()
    const lib = join(testFolder(), 'lib')
    const inLib = (...args: string[]): string => git('-C', lib, '-c', 'protocol.file.allow=always', ...args)
    mkdirSync(lib)
    inLib('init', '-q', '-b', 'main')
    inLib('commit', '-q', '--allow-empty', '-m', 'first')
    inTree('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'lib')
    writeFileSync(at('lib', 'new'), 'x')
    inTree('-C', 'lib', 'add', '.')
    inTree('-C', 'lib', 'commit', '-qm', 'work')
    inTree('add', '.')
    inTree('commit', '-qm', 'with a submodule')
    git('merge', '-q', `muster/${id}`)
    expect(await sweep()).toMatchObject({ state: 'kept', reason: 'a commit in its submodules exists nowhere else' })
    inTree('-C', 'lib', 'push', '-q', 'origin', 'HEAD:refs/heads/work')
    expect(await sweep()).toMatchObject({ state: 'gone' })
  })

  test('a worktree is kept while a submodule that git ignores has changes', async () => {
    const { at, sweep, git, inTree } = await withWorktree()
    const lib = join(testFolder(), 'lib')
    mkdirSync(lib)
    git('-C', lib, 'init', '-q', '-b', 'main')
    git('-C', lib, 'commit', '-q', '--allow-empty', '-m', 'first')
    inTree('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'lib')
    inTree('config', '-f', '.gitmodules', 'submodule.lib.ignore', 'all')
    inTree('add', '.')
    inTree('commit', '-qm', 'with a submodule')
    git('merge', '-q', `muster/${id}`)
    writeFileSync(at('lib', 'new'), 'x')
    expect(inTree('status', '--porcelain')).toBe('')
    expect(await sweep()).toMatchObject({ state: 'kept', reason: 'uncommitted changes in lib' })
    rmSync(at('lib', 'new'))
    expect(await sweep()).toMatchObject({ state: 'gone' })
  })

  test('the user’s git settings apply to a worktree, except the global ignore file', async () => {
    const home = testFolder()
    vi.stubEnv('HOME', home)
    vi.stubEnv('XDG_CONFIG_HOME', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    writeFileSync(join(home, '.gitignore'), 'notes\n')
    writeFileSync(join(home, '.gitconfig'), '[core]\n\tautocrlf = true\n\texcludesFile = ~/.gitignore\n')
    const { at, sweep, git, inTree, gc, restore } = await withWorktree()
    git('rm', '-q', '.gitattributes')
    git('commit', '-qm', 'nothing of the repository’s own')
    inTree('merge', '-q', 'main')
    rmSync(at('tracked'))
    inTree('checkout', 'tracked')
    expect(readFileSync(at('tracked'), 'utf8')).toBe('one\r\n')
    utimesSync(at('tracked'), 1, 1)
    writeFileSync(at('notes'), 'x')
    expect(inTree('status', '--porcelain')).toBe('')
    expect(await sweep()).toMatchObject({ state: 'kept', reason: 'uncommitted changes in notes' })
    await gc(id)
    expect(readdirSync(await restore()).sort()).toEqual(['.gitignore', 'notes', 'tracked'])
  })

  test('ignored files of a landed worktree are copied, except caches and files that the repository also has', async () => {
    const { at, sweep, git, repo, place } = await withWorktree()
    git('commit', '--allow-empty', '-qm', 'next')
    writeFileSync(join(repo, '.git', 'info', 'exclude'), 'local/\nnode_modules/\ntarget/\n')
    for (const folder of ['local', 'node_modules', 'target']) mkdirSync(at(folder))
    writeFileSync(at('local', 'notes'), 'mine')
    writeFileSync(at('node_modules', 'dependency'), 'x')
    writeFileSync(at('target', 'CACHEDIR.TAG'), 'x')
    writeFileSync(at('ignored'), 'work')
    mkdirSync(join(repo, 'local'))
    for (const folder of [at('local'), join(repo, 'local')]) writeFileSync(join(folder, 'shared'), 'the same')
    const swept = await sweep()
    expect(swept).toMatchObject({ state: 'gone', snapshot: expect.stringContaining('.tar.gz') })
    const [snapshot] = await listSnapshots(place)
    const to = join(testFolder(), 'back')
    if (snapshot !== undefined) await restoreSnapshot(place.home, snapshot, to)
    expect(Object.keys(contentOf(to)).sort()).toEqual(['ignored', 'local/notes'])
  })

  test('ignored links of a landed worktree are copied as links', async () => {
    const { at, sweep, git, repo, place } = await withWorktree()
    git('commit', '--allow-empty', '-qm', 'next')
    writeFileSync(join(repo, '.git', 'info', 'exclude'), 'links\nshared\nnode_modules\n')
    const outside = testFolder()
    writeFileSync(join(outside, 'secret'), 'not of the card')
    for (const folder of [at('links'), join(repo, 'links'), join(repo, 'shared')]) mkdirSync(folder)
    const kept = { 'links/out': outside, 'links/near': '../tracked', 'links/dead': 'no\nwhere' }
    for (const [path, target] of Object.entries(kept)) symlinkSync(target, at(path))
    symlinkSync(join(repo, 'shared'), at('shared'))
    symlinkSync(outside, at('node_modules'))
    for (const folder of [at('links'), join(repo, 'links')]) symlinkSync('same', join(folder, 'alike'))
    expect(await sweep()).toMatchObject({ state: 'gone', snapshot: expect.stringContaining('.tar.gz') })
    const [snapshot] = await listSnapshots(place)
    const to = join(testFolder(), 'back')
    if (snapshot !== undefined) await restoreSnapshot(place.home, snapshot, to)
    expect(snapshot).toMatchObject({ files: 3 })
    const asShown = Object.entries(kept).map(([path, target]) => [path, `→ ${target}`])
    expect(contentOf(to)).toEqual(Object.fromEntries(asShown))
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('not of the card')
  })

  test.each(['--assume-unchanged', '--skip-worktree'])(
    'a worktree is kept if `git update-index %s` hides a change in it',
    async (flag) => {
      const { at, sweep, inTree } = await withWorktree()
      inTree('update-index', flag, 'tracked')
      writeFileSync(at('tracked'), 'hidden work')
      expect(inTree('status', '--porcelain')).toBe('')
      expect(await sweep()).toMatchObject({
        state: 'kept',
        reason: expect.stringContaining('uncommitted changes in tracked'),
      })
      expect(readFileSync(at('tracked'), 'utf8')).toBe('hidden work')
    },
  )

  test('a worktree is kept until its work is on the branch that it was made from', async () => {
    const { at, sweep, git, inTree } = await withWorktree()
    const own = inTree('rev-parse', '--absolute-git-dir').trim()
    writeFileSync(join(own, 'muster-ready.json'), JSON.stringify({ baseBranch: 'main' }))
    writeFileSync(at('new'), 'x')
    inTree('add', '.')
    inTree('commit', '-qm', 'work')
    git('switch', '-q', '-c', 'other')
    git('merge', '-q', `muster/${id}`)
    expect(await sweep()).toMatchObject({ state: 'kept', reason: expect.stringContaining('main') })
    git('branch', '-f', 'main', 'other')
    expect(await sweep()).toMatchObject({ state: 'gone' })
  })

  test('a worktree with uncommitted work is kept, and restored after a discard', async () => {
    const { at, sweep, state, gc, restore, git, inTree, place, repo } = await withWorktree()
    writeOddFiles(at())
    writeFileSync(at('tracked'), 'two\r\nthree\n')
    writeFileSync(at('staged'), 'four\n')
    inTree('add', 'staged')
    writeFileSync(at('ignored'), 'x')
    const index = inTree('ls-files', '--stage')
    expect(await sweep()).toMatchObject({ state: 'kept', reason: expect.stringContaining('uncommitted changes') })
    expect((await gc()).left).toMatchObject([{ path: at(), reason: expect.stringContaining(`gc --discard ${id}`) }])
    expect([await state(), inTree('ls-files', '--stage')]).toEqual(['kept', index])
    const { ignored: _, ...before } = contentOf(at())
    const given = await gc(id)
    expect([await state(), existsSync(at())]).toEqual(['gone', false])
    const [ignored, known] = await listSnapshots(place)
    expect(given.workspaces).toMatchObject([
      { snapshot: `${known?.ref} in ${repo} and ${ignored?.path}`, uncopied: null },
    ])
    expect(known).toMatchObject({ kind: 'git', repo, branch: `muster/${id}` })
    expect(git('branch', '--list')).not.toContain('snapshots')
    git('gc', '--prune=now', '-q')
    expect(contentOf(await restore())).toEqual(before)
    if (known === undefined) throw new Error('there is no snapshot')
    renameSync(repo, `${repo}-moved`)
    const to = join(testFolder(), 'back')
    await expect(restoreSnapshot(place.home, known, to)).rejects.toThrow(
      `in the repository ${repo}, which does not exist`,
    )
    expect(existsSync(to)).toBe(false)
  })

  test('a discarded worktree with a nested repository is archived', async () => {
    const { at, sweep, restore, place } = await withWorktree()
    mkdirSync(at('inner'))
    execFileSync('git', ['init', '-q', at('inner')])
    writeFileSync(at('inner', 'file'), 'x')
    expect(await sweep()).toMatchObject({ state: 'kept' })
    expect(await sweep({ discard: true })).toMatchObject({ state: 'gone' })
    expect(await listSnapshots(place)).toMatchObject([{ kind: 'archive' }])
    expect(readFileSync(join(await restore(), 'inner', 'file'), 'utf8')).toBe('x')
  })

  test('a worktree whose repository is gone is kept', async () => {
    const { sweep, repo, at } = await withWorktree()
    rmSync(repo, { recursive: true })
    expect(await sweep()).toMatchObject({ state: 'kept', reason: expect.stringContaining('git cannot check it') })
    expect(existsSync(at('tracked'))).toBe(true)
  })
})
