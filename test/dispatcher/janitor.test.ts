import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadOptions } from '../../src/config/load.ts'
import { isTaskId } from '../../src/core/ids.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { Janitor } from '../../src/dispatcher/janitor.ts'
import { trashCardFolder } from '../../src/workspaces/sweep/remove-folder.ts'
import { listSnapshots } from '../../src/workspaces/files/snapshots.ts'
import { MARKER, TRASH, makeCardFolder } from '../../src/workspaces/workspaces-root.ts'
import { card, clockwork } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'
import { Desk } from '../storage/desk.ts'
import { hostCalled, storeWith } from './dispatch-context.ts'

/** Makes a board, and a janitor that keeps folders no longer than necessary. */
async function setUp() {
  const home = testFolder()
  const opened = await openTestStore('sqlite')
  const desk = await Desk.open(opened)
  const options = { ...(await loadOptions({ MUSTER_HOME: home })), workspaceStaysMs: 1 }
  const root = join(home, 'boards', 'main', 'workspaces')
  const rest = {
    env: {},
    supervisorPath: '',
    max: null,
    lanePositions: null,
    onlyBoard: null,
    host: hostCalled('here'),
  }
  const round = async (janitor = new Janitor(), store = desk.store): Promise<void> => {
    await opened.pass(10)
    await janitor.sweepAll({ ...rest, store, options })
  }
  /** Makes a sweep with options that keep folders for an hour. */
  const roundWith = async (given: Partial<typeof options>): Promise<void> => {
    await opened.pass(10)
    const stays = { ...options, workspaceStaysMs: 3_600_000, ...given }
    await new Janitor().sweepAll({ ...rest, store: desk.store, options: stays })
  }
  return {
    home,
    desk,
    root,
    round,
    roundWith,
    folders: () => (existsSync(root) ? readdirSync(root).filter(isTaskId).sort() : []),
    state: async (id: TaskId) => (await desk.task(id)).workspace.state,
    /** Starts a run of a card, which leaves a file. */
    work: async (id: TaskId) => {
      const run = await desk.run(id)
      await makeCardFolder({ home, board: 'main', task: id })
      writeFileSync(join(root, id, 'output'), `what ${id} made`)
      return run
    },
    finish: async (id: TaskId) => {
      const run = await desk.run(id)
      await makeCardFolder({ home, board: 'main', task: id })
      writeFileSync(join(root, id, 'output'), `what ${id} made`)
      await desk.settle(run, { verdict: { kind: 'complete', summary: 'done' }, ending: { how: 'exited', exitCode: 0 } })
    },
  }
}

test('each folder of a chain is kept until its child is done, then swept (scenario 56)', async () => {
  const { desk, folders, finish, round, home, root } = await setUp()
  const [a, b, c] = [card('a'), card('b'), card('c')]
  await desk.card('a')
  await desk.card('b', { parents: [a] })
  await desk.card('c', { parents: [b] })
  await finish(a)
  await round()
  expect(folders()).toEqual([a])
  expect(readFileSync(join(root, a, 'output'), 'utf8')).toBe(`what ${a} made`)
  await finish(b)
  await round()
  expect(folders()).toEqual([b])
  await finish(c)
  await round()
  expect(folders()).toEqual([])
  expect(readdirSync(root).sort()).toEqual([MARKER, TRASH])
  expect(readdirSync(join(root, TRASH))).toEqual([])
  for (const id of [a, b, c]) expect(await listSnapshots({ home, board: 'main', task: id })).toHaveLength(1)
  await round()
  expect((await desk.kinds(a)).filter((kind) => kind === 'workspace_swept')).toHaveLength(1)
})

test('a folder is swept when all its children are done, archived or deleted', async () => {
  const { desk, folders, finish, round } = await setUp()
  const [top, left, right] = [card('top'), card('left'), card('right')]
  await desk.card('top')
  await desk.card('left', { parents: [top] })
  await desk.card('right', { parents: [top], workspace: { kind: 'dir', path: '/srv/site', repo: null } })
  await desk.card('end', { parents: [left, right] })
  await finish(top)
  await finish(left)
  await round()
  expect(folders()).toEqual([left, top].sort())
  await desk.ok('archive', { task: right })
  await round()
  expect(folders()).toEqual([left])
  await desk.ok('delete', { task: card('end') })
  await round()
  expect(folders()).toEqual([])
})

test('a folder is kept for a child that was linked later, until the child is unlinked', async () => {
  const { desk, folders, finish, round } = await setUp()
  const a = await desk.card('a')
  await finish(a)
  const late = await desk.card('late', { parents: [a] })
  const janitor = new Janitor()
  await round(janitor)
  await round(janitor)
  expect(folders()).toEqual([a])
  expect((await desk.events(a)).filter(({ kind }) => kind === 'sweep_deferred')).toMatchObject([
    { data: { child: late } },
  ])
  await desk.ok('unlink', { parent: a, child: late })
  await round(janitor)
  expect(folders()).toEqual([])
})

test('a running parent keeps its folder after a promoted child is done (scenario 57)', async () => {
  const { desk, folders, finish, work, round } = await setUp()
  const a = await desk.card('a')
  const b = await desk.card('b', { parents: [a] })
  await work(a)
  await desk.ok('promote', { task: b, force: true })
  await finish(b)
  await round()
  expect(folders()).toEqual([a])
})

test('a running card keeps its folder after its follow-up card is done (scenario 58)', async () => {
  const { desk, folders, finish, work, round } = await setUp()
  const a = await desk.card('a')
  await work(a)
  await finish(await desk.card('next'))
  await round()
  expect(folders()).toEqual([a])
})

test('a reopened card keeps its folder, or gets a new one after a sweep', async () => {
  const { desk, folders, finish, round, state, home } = await setUp()
  const [a, b] = [await desk.card('a'), await desk.card('b')]
  await finish(a)
  await finish(b)
  await desk.ok('reopen', { task: a })
  await round()
  expect([folders(), await state(a), await state(b)]).toEqual([[a], 'live', 'gone'])
  await desk.ok('reopen', { task: b })
  await finish(b)
  expect([folders(), await state(b)]).toEqual([[a, b].sort(), 'live'])
  await round()
  expect(await listSnapshots({ home, board: 'main', task: b })).toHaveLength(2)
})

test('while its folder is swept, a card cannot be reopened or get children', async () => {
  const { desk, finish, round, folders } = await setUp()
  const a = await desk.card('a')
  await finish(a)
  await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
  await desk.card('b')
  expect(await desk.refused('reopen', { task: a })).toBe('workspace_sweeping')
  expect(await desk.refused('link', { parent: a, child: card('b') })).toBe('workspace_sweeping')
  await round()
  expect(folders()).toEqual([])
  await desk.ok('reopen', { task: a })
})

describe('a child of a card whose folder is being swept', () => {
  const setUpPair = async (end: 'done' | 'archive' | 'delete') => {
    const world = await setUp()
    const { desk, finish } = world
    const a = await desk.card('a')
    const b = await desk.card('b', { parents: [a] })
    await finish(a)
    if (end === 'done') await finish(b)
    else await desk.ok(end, { task: b })
    await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
    return { ...world, a, b }
  }

  test.each([
    ['done', 'reopen'],
    ['archive', 'unarchive'],
    ['delete', 'undelete'],
  ] as const)('a child that was changed with `%s` refuses `%s` until the sweep is over', async (end, back) => {
    const { desk, round, state, home, a, b } = await setUpPair(end)
    expect(await desk.refused(back, { task: b })).toBe('workspace_sweeping')
    await round()
    expect(await state(a)).toBe('gone')
    expect((await desk.ok(back, { task: b })).status).toBe('ready')
    expect(await listSnapshots({ home, board: 'main', task: a })).toHaveLength(1)
  })

  test('a finished child can be unarchived or undeleted during the sweep', async () => {
    const { desk, finish, round, b } = await setUpPair('archive')
    await round()
    await desk.ok('unarchive', { task: b })
    await finish(b)
    await desk.ok('archive', { task: b })
    await desk.ok('sweep', { task: card('a'), stage: 'begin' }, clockwork)
    expect((await desk.ok('unarchive', { task: b })).status).toBe('done')
    await desk.ok('delete', { task: b })
    await desk.ok('undelete', { task: b })
  })
})

test('a folder that was removed by hand during a sweep counts as swept', async () => {
  const { desk, finish, round, state, root } = await setUp()
  const a = await desk.card('a')
  await finish(a)
  await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
  rmSync(join(root, a), { recursive: true })
  const janitor = new Janitor()
  await round(janitor)
  expect(await state(a)).toBe('gone')
  await desk.ok('reopen', { task: a })
})

test('several janitors record only once that a folder is kept for a child', async () => {
  const { desk, finish, round } = await setUp()
  const a = await desk.card('a')
  const b = await desk.card('b', { parents: [a] })
  await desk.card('c', { parents: [a] })
  await finish(a)
  const logged = async () => (await desk.kinds(a)).filter((kind) => kind === 'sweep_deferred').length
  const janitor = new Janitor()
  await round(janitor)
  await round()
  await finish(b)
  await round(janitor)
  expect(await logged()).toBe(1)
  await desk.ok('reopen', { task: a })
  await finish(a)
  await round()
  expect(await logged()).toBe(2)
})

test('reopening a child makes the janitor record again that a folder is kept', async () => {
  const { desk, finish, round } = await setUp()
  const a = await desk.card('a')
  const b = await desk.card('b', { parents: [a] })
  await finish(a)
  const janitor = new Janitor()
  const nothingYet = storeWith(desk.store, { sweepable: async () => [] })
  await round(janitor)
  await finish(b)
  await round(janitor, nothingYet)
  await desk.ok('reopen', { task: b })
  await round(janitor)
  await round(janitor)
  expect((await desk.kinds(a)).filter((kind) => kind === 'sweep_deferred')).toHaveLength(2)
})

test('a folder whose snapshot fails is kept, logged once and retried', async () => {
  const { desk, finish, round, state, home, root, folders } = await setUp()
  const a = await desk.card('a')
  await finish(a)
  const snapshots = join(home, 'boards', 'main', 'snapshots')
  writeFileSync(snapshots, 'in the way')
  const janitor = new Janitor()
  await round(janitor)
  await round()
  expect([await state(a), folders()]).toEqual(['live', [a]])
  expect((await desk.events(a)).filter(({ kind }) => kind === 'workspace_kept')).toMatchObject([
    { data: { reason: expect.stringMatching(/could not be copied.*will retry/) as string } },
  ])
  rmSync(snapshots)
  // A janitor that has just failed does not retry at once.
  await round(janitor)
  expect(folders()).toEqual([a])
  await round()
  expect([await state(a), existsSync(join(root, a))]).toEqual(['gone', false])
  expect(await listSnapshots({ home, board: 'main', task: a })).toHaveLength(1)
})

test('a folder that another card uses is kept', async () => {
  const { desk, finish, round, state, root, home } = await setUp()
  const [a, b, plain] = [await desk.card('a'), await desk.card('b'), await desk.card('plain')]
  const link = join(home, 'link')
  for (const id of [a, b, plain]) await finish(id)
  mkdirSync(join(root, a, 'site'))
  symlinkSync(join(root, a, 'site'), link)
  await desk.card('guest', { workspace: { kind: 'dir', path: link, repo: null } })
  await desk.card('branch', { workspace: { kind: 'worktree', path: null, repo: join(root, b) } })
  await round()
  expect(await Promise.all([a, b, plain].map(state))).toEqual(['kept', 'kept', 'gone'])
  for (const id of [a, b]) expect(readFileSync(join(root, id, 'output'), 'utf8')).toBe(`what ${id} made`)
})

describe('a sweep that crashed is finished once (scenario 61)', () => {
  test('a sweep that crashed before moving the folder is finished', async () => {
    const { desk, finish, round, state, folders } = await setUp()
    const a = await desk.card('a')
    await finish(a)
    await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
    await round()
    expect([await state(a), folders()]).toEqual(['gone', []])
  })

  test('a sweep that crashed after moving the folder is finished once', async () => {
    const { desk, finish, round, state, root, home } = await setUp()
    const a = await desk.card('a')
    await finish(a)
    await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
    await trashCardFolder({ home, board: 'main', task: a })
    await round()
    await round()
    expect([await state(a), readdirSync(join(root, TRASH))]).toEqual(['gone', []])
    expect((await desk.kinds(a)).filter((kind) => kind === 'workspace_swept')).toHaveLength(1)
  })

  test('a sweep that crashed before emptying the trash does not delete a newer folder', async () => {
    const { desk, finish, round, root, home } = await setUp()
    const a = await desk.card('a')
    await finish(a)
    await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
    await trashCardFolder({ home, board: 'main', task: a })
    await desk.ok('sweep', { task: a, stage: 'end' }, clockwork)
    // A new run has made a new folder in the meantime, and this folder must be kept.
    await desk.ok('reopen', { task: a })
    await finish(a)
    await desk.ok('reopen', { task: a })
    await round()
    expect(readdirSync(join(root, TRASH))).toEqual([])
    expect(existsSync(join(root, a, 'output'))).toBe(true)
  })
})

test('unknown files, unfinished cards and cards of other stores are not touched', async () => {
  const { desk, root, round, work } = await setUp()
  const open = await desk.card('open')
  await work(open)
  for (const name of ['notes', card('stranger')]) mkdirSync(join(root, name))
  writeFileSync(join(root, 'file'), 'x')
  await round()
  expect(readdirSync(root).sort()).toEqual([MARKER, 'file', 'notes', card('stranger'), open].sort())
})

/**
 * Makes random changes to a graph of cards, with crashes between the changes. After every step, unfinished children
 * find the files of their finished parents, running cards find their own files, and no file outside is touched.
 */
test('a parent’s files are kept until its last child is finished, then removed (invariant 8)', async () => {
  const CARDS = 5
  const index = fc.nat({ max: CARDS - 1 })
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('finish' as const), a: index }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('sweep' as const), a: index, cut: fc.nat({ max: 6 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reopen', 'archive', 'unarchive'), a: index }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('delete', 'undelete', 'start'), a: index }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('link', 'unlink'), a: index, b: index }) },
  )
  const edges = fc.uniqueArray(
    fc.tuple(index, index).filter(([a, b]) => a < b),
    {
      maxLength: 6,
      selector: ([a, b]) => `${a}-${b}`,
    },
  )
  await fc.assert(
    fc.asyncProperty(edges, fc.array(step, { minLength: 8, maxLength: 25 }), async (links, steps) => {
      const { desk, root, round, finish, work, home } = await setUp()
      const outside = join(home, 'boards', 'main', 'mine')
      for (let at = 0; at < CARDS; at += 1)
        await desk.card(at, { parents: links.filter(([, to]) => to === at).map(([from]) => card(from)) })
      mkdirSync(outside, { recursive: true })
      writeFileSync(join(outside, 'thesis'), 'years of work')
      const made = new Set<TaskId>()
      for (const one of steps) {
        const task = card(one.a)
        const needed = await findNeeded()
        if (one.do === 'finish' || one.do === 'start') {
          const { status, deletedAt, workspace } = await desk.task(task)
          if (status !== 'ready' || deletedAt !== null || workspace.state === 'sweeping') continue
          await (one.do === 'finish' ? finish(task) : work(task))
          made.add(task)
        } else if (one.do === 'sweep') {
          // Simulates a crash: after `left` answers the store fails.
          let left = 'cut' in one ? one.cut : 6
          const decide: typeof desk.store.decide = (command) => {
            left -= 1
            return left < 0 ? Promise.reject(new Error('killed')) : desk.store.decide(command)
          }
          await round(new Janitor(), storeWith(desk.store, { decide })).catch(() => {})
        } else if (one.do === 'link' || one.do === 'unlink') {
          const child = card('b' in one ? one.b : 0)
          await desk.do(one.do, { parent: task, child })
        } else await desk.do(one.do as 'reopen', { task })
        expectKept(needed)
        // No unfinished child may need a folder that is being swept.
        const sweeping = await desk.store.sweeping('main', Number.MAX_SAFE_INTEGER)
        for (const id of sweeping) expect([id, await desk.store.unfinishedChild('main', id)]).toEqual([id, null])
      }
      // If nothing else changes, all sweeps finish.
      const needed = await findNeeded()
      for (let times = 0; times < 3; times += 1) await round()
      expectKept(needed)
      for (const id of made) {
        const task = await desk.store.task('main', id)
        if (task === null) continue
        const isOver = task.status === 'done' || task.status === 'archived'
        const reader = await desk.store.unfinishedChild('main', id)
        expect([id, existsSync(join(root, id))]).toEqual([
          id,
          !(isOver && reader === null) && task.workspace.state === 'live',
        ])
        expect(task.workspace.state).not.toBe('sweeping')
      }

      /**
       * Returns the cards whose folder exists and must be kept, because they or one of their children are not finished.
       */
      async function findNeeded(): Promise<TaskId[]> {
        const needed: TaskId[] = []
        for (const id of made) {
          const { status, workspace, deletedAt } = await desk.task(id)
          const isOver = status === 'done' || status === 'archived'
          if (workspace.state === 'sweeping' || !existsSync(join(root, id))) continue
          if (!isOver || deletedAt !== null || (await desk.store.unfinishedChild('main', id)) !== null) needed.push(id)
        }
        return needed
      }

      function expectKept(needed: readonly TaskId[]): void {
        expect(readFileSync(join(outside, 'thesis'), 'utf8')).toBe('years of work')
        for (const id of needed) expect(readFileSync(join(root, id, 'output'), 'utf8')).toBe(`what ${id} made`)
      }
    }),
    { numRuns: Number(process.env['MUSTER_LIVES'] ?? 10) },
  )
})

test('if folders take too much space, the oldest unneeded ones are removed first', async () => {
  const { desk, folders, finish, roundWith } = await setUp()
  for (const name of ['a', 'b', 'c']) {
    await desk.card(name)
    await finish(card(name))
    await roundWith({})
  }
  expect(folders()).toEqual([card('a'), card('b'), card('c')])
  const bytes = `what ${card('a')} made`.length
  await roundWith({ workspaceStaysBytes: 2 * bytes })
  expect(folders()).toEqual([card('b'), card('c')])
})

test('the size of a worktree does not count against scratch folders', async () => {
  const { desk, folders, finish, roundWith } = await setUp()
  await desk.card('tree', { workspace: { kind: 'worktree', repo: '/srv/repo' } })
  await desk.card('b')
  for (const name of ['tree', 'b']) await finish(card(name))
  const bytes = `what ${card('b')} made`.length
  await roundWith({ workspaceStaysBytes: bytes })
  expect(folders()).toContain(card('b'))
})
