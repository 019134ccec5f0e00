import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadOptions } from '../../src/config/load.ts'
import { isTaskId } from '../../src/core/ids.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { Janitor } from '../../src/dispatcher/janitor.ts'
import { moveToTrash } from '../../src/workspaces/sweep/remove-folder.ts'
import { listSnapshots } from '../../src/workspaces/files/snapshots.ts'
import { MARKER, TRASH, makeCardFolder } from '../../src/workspaces/workspaces-root.ts'
import { card, clockwork } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'
import { Desk } from '../storage/desk.ts'
import { hostCalled, storeWith } from './dispatch-context.ts'

/** A board, and a janitor that lets nothing lie longer than it must. */
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
  /** Where folders stay for an hour. */
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
    /** Works on a card to its end, and leaves a file. */
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

test('a chain leaves nothing behind, and each reads what the one before it left (scenario 56)', async () => {
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

test('a diamond goes when the last child of any kind is terminal, however it came to be', async () => {
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

test('a parent stays for a child that was linked late, and goes when the link does', async () => {
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

test('a running parent keeps its folder when a child that was let through is done before it (scenario 57)', async () => {
  const { desk, folders, finish, work, round } = await setUp()
  const a = await desk.card('a')
  const b = await desk.card('b', { parents: [a] })
  await work(a)
  await desk.ok('promote', { task: b, force: true })
  await finish(b)
  await round()
  expect(folders()).toEqual([a])
})

test('a follow-up that is done first takes nothing from the card that made it (scenario 58)', async () => {
  const { desk, folders, finish, work, round } = await setUp()
  const a = await desk.card('a')
  await work(a)
  await finish(await desk.card('next'))
  await round()
  expect(folders()).toEqual([a])
})

test('a card that is reopened keeps its folder; one that was swept gets a new one, and its copy stays', async () => {
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

test('while a folder is on its way out, reopening waits and no child is linked', async () => {
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

describe('a card after one whose folder is on its way out', () => {
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
  ] as const)('was %s: %s waits, and then finds where the copy is', async (end, back) => {
    const { desk, round, state, home, a, b } = await setUpPair(end)
    expect(await desk.refused(back, { task: b })).toBe('workspace_sweeping')
    await round()
    expect(await state(a)).toBe('gone')
    expect((await desk.ok(back, { task: b })).status).toBe('ready')
    expect(await listSnapshots({ home, board: 'main', task: a })).toHaveLength(1)
  })

  test('comes back at once when it is not to be worked on', async () => {
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

test('a folder that somebody removed in the middle of a sweep does not keep its card there', async () => {
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

test('a folder that waits says so once for every time it waits, whoever looks', async () => {
  const { desk, finish, round } = await setUp()
  const a = await desk.card('a')
  const b = await desk.card('b', { parents: [a] })
  await desk.card('c', { parents: [a] })
  await finish(a)
  const told = async () => (await desk.kinds(a)).filter((kind) => kind === 'sweep_deferred').length
  const janitor = new Janitor()
  await round(janitor)
  await round()
  await finish(b)
  await round(janitor)
  expect(await told()).toBe(1)
  await desk.ok('reopen', { task: a })
  await finish(a)
  await round()
  expect(await told()).toBe(2)
})

test('a folder that waits for a child which comes back says so again', async () => {
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

test('a folder that cannot be copied stays, says so once, and goes when it can', async () => {
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
    { data: { reason: expect.stringMatching(/could not be copied.*tried again/) as string } },
  ])
  rmSync(snapshots)
  // Whoever has just failed does not try again at once.
  await round(janitor)
  expect(folders()).toEqual([a])
  await round()
  expect([await state(a), existsSync(join(root, a))]).toEqual(['gone', false])
  expect(await listSnapshots({ home, board: 'main', task: a })).toHaveLength(1)
})

test('a folder in which another card works, or whose repository another uses, is not removed with its card', async () => {
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

describe('a crash in a sweep is made good, once (scenario 61)', () => {
  test('before the folder was moved', async () => {
    const { desk, finish, round, state, folders } = await setUp()
    const a = await desk.card('a')
    await finish(a)
    await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
    await round()
    expect([await state(a), folders()]).toEqual(['gone', []])
  })

  test('after it was moved, and before the store knew', async () => {
    const { desk, finish, round, state, root, home } = await setUp()
    const a = await desk.card('a')
    await finish(a)
    await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
    await moveToTrash({ home, board: 'main', task: a })
    await round()
    await round()
    expect([await state(a), readdirSync(join(root, TRASH))]).toEqual(['gone', []])
    expect((await desk.kinds(a)).filter((kind) => kind === 'workspace_swept')).toHaveLength(1)
  })

  test('after the store knew, and before it was removed', async () => {
    const { desk, finish, round, root, home } = await setUp()
    const a = await desk.card('a')
    await finish(a)
    await desk.ok('sweep', { task: a, stage: 'begin' }, clockwork)
    await moveToTrash({ home, board: 'main', task: a })
    await desk.ok('sweep', { task: a, stage: 'end' }, clockwork)
    // Somebody starts anew meanwhile: what they make is theirs.
    await desk.ok('reopen', { task: a })
    await finish(a)
    await desk.ok('reopen', { task: a })
    await round()
    expect(readdirSync(join(root, TRASH))).toEqual([])
    expect(existsSync(join(root, a, 'output'))).toBe(true)
  })
})

test('what is not a card’s, or not finished, or of another store is not touched', async () => {
  const { desk, root, round, work } = await setUp()
  const open = await desk.card('open')
  await work(open)
  for (const name of ['notes', card('stranger')]) mkdirSync(join(root, name))
  writeFileSync(join(root, 'file'), 'x')
  await round()
  expect(readdirSync(root).sort()).toEqual([MARKER, 'file', 'notes', card('stranger'), open].sort())
})

/**
 * Whatever happens to a graph of cards, in whatever order, with crashes in between: after every step each child that is
 * not finished finds the files of its finished parents, each card that runs its own, and nothing outside is touched.
 */
test('a parent’s files are there until its last child is terminal, then gone (invariant 8)', async () => {
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
          // A crash: the store answers so many times, and then no more.
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
        holds(needed)
        // Nobody begins to need what is on its way out.
        const sweeping = await desk.store.sweeping('main', Number.MAX_SAFE_INTEGER)
        for (const id of sweeping) expect([id, await desk.store.unfinishedChild('main', id)]).toEqual([id, null])
      }
      // Left alone, it comes to rest.
      const needed = await findNeeded()
      for (let times = 0; times < 3; times += 1) await round()
      holds(needed)
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

      /** Cards whose folder is there and must stay: they are not finished, or a child of theirs is not. */
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

      function holds(needed: readonly TaskId[]): void {
        expect(readFileSync(join(outside, 'thesis'), 'utf8')).toBe('years of work')
        for (const id of needed) expect(readFileSync(join(root, id, 'output'), 'utf8')).toBe(`what ${id} made`)
      }
    }),
    { numRuns: 25 },
  )
})

test('the oldest unneeded folders go first when they take too much space', async () => {
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
