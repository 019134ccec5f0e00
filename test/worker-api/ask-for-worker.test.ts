import { linkSync, mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { Store, TaskView } from '../../src/storage/store.ts'
import { hashToken } from '../../src/util/mint.ts'
import { askForWorker } from '../../src/worker-api/ask-for-worker.ts'
import { notingOverreach } from '../../src/worker-api/note-overreach.ts'
import { SHELL_AGENT } from '../../src/agents/agent.ts'
import { readRoster } from '../../src/agents/roster.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import type { SupervisedRun } from '../../src/supervisor/supervised-run.ts'
import { takerOf, toApprove } from '../../src/agents/to-approve.ts'
import { card, clockwork, identity, person, runOf } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'

const id = card('a')
const foreign = card('b')
const elsewhere = card('c')
const fence = { runId: runOf('a'), tokenHash: hashToken('token') }

/** Nobody runs checks here. */
const NO_CHECKS = { check: async () => ({ kind: 'overtaken' }) as const, stop: async () => {} }

const decideAs = (store: Store) => {
  const address = { board: 'main', actor: person } as const
  return {
    address,
    create: async (board: string, task: typeof id, more: object = {}) =>
      unwrap(
        await store.decide({
          ...address,
          board,
          verb: 'create',
          input: { cards: [{ id: task, title: `Card ${task}`, assignee: 'shell', body: 'true', ...more }] },
        }),
      ),
  }
}

/** A board with a running card, a card of somebody else's, and one on another board. */
async function running(more: object = {}, as: object = {}): Promise<Running> {
  const { store, location } = await openTestStore('sqlite')
  const { address, create } = decideAs(store)
  for (const slug of ['main', 'other'])
    unwrap(await store.decide({ ...address, board: slug, verb: 'create_board', input: { slug } }))
  await create('main', id, more)
  await create('main', foreign)
  await create('other', elsewhere)
  const own = identity()
  const lead = { machine: own.machine, tokenHash: 'lead', identity: own, leaseMs: 60_000 }
  unwrap(await store.decide({ ...address, actor: clockwork, verb: 'lead_dispatch', input: lead }))
  const claim = { machine: own.machine, dispatcher: own, dispatcherTokenHash: 'lead', agent: 'shell' }
  unwrap(await store.decide({ ...address, actor: clockwork, verb: 'claim', input: { task: id, ...fence, ...claim } }))
  const database = location.engine === 'sqlite' ? location.path : ''
  const agent = { agent: 'shell', tools: [], permissions: 'edit', ...as }
  const ticket = { home: testFolder(), store: database, board: 'main', task: id, ...agent }
  const run = { phase: 'work' }
  const owned = { store, ticket, run, fence, directory: runDirectoryAt(testFolder()) } as unknown as SupervisedRun
  const ask = ((op, input) =>
    notingOverreach({ owned }, { asked: op, said: input }, () =>
      askForWorker({ owned, checkRunner: NO_CHECKS, turnTimeout: { start: () => {} } }, op, input),
    )) as Ask
  const settle: Settle = async (exitCode) => {
    const ending = { how: 'exited', exitCode } as const
    const input = { task: id, runId: fence.runId, by: { fence }, ending, completesOnExit: true }
    unwrap(await store.decide({ ...address, actor: clockwork, verb: 'settle', input }))
    return store.task('main', id)
  }
  return { store, database, home: ticket.home, ask, settle }
}

interface Running {
  readonly store: Store
  readonly database: string
  readonly home: string
  readonly ask: Ask
  readonly settle: Settle
}

type Ask = (op: string, input: unknown) => Promise<TaskView & { recorded?: string }>
type Settle = (exitCode: number) => Promise<TaskView | null>

test('complete on its own card is recorded, and counts when the run ends, whatever its exit status', async () => {
  const { store, ask, settle } = await running()
  const answer = await ask('complete', { task: id, summary: 'all green', metadata: { tests: 3 } })
  expect(answer).toMatchObject({ id, status: 'running' })
  expect(answer.recorded).toBe(`Recorded complete for ${id}: the card is settled when this run ends.`)
  expect(await settle(1)).toMatchObject({ status: 'done', metadata: { tests: 3 } })
  expect(await store.run(fence.runId)).toMatchObject({ outcome: 'completed', summary: 'all green', exitCode: 1 })
})

test('block on its own card beats a clean exit, and the beginning of its id is enough', async () => {
  const { store, ask, settle } = await running()
  await ask('block', { task: id.slice(0, 12).toUpperCase(), reason: 'which colour?', kind: 'needs_input' })
  expect(await store.task('main', id)).toMatchObject({ status: 'running' })
  expect(await settle(0)).toMatchObject({ status: 'blocked', blockReason: 'which colour?', blockedBy: 'agent:shell' })
})

test('a block may follow a complete, but nothing else takes a word back', async () => {
  const { ask, settle } = await running()
  await ask('complete', { task: id })
  await expect(ask('request-review', { task: id })).rejects.toMatchObject({ code: 'verdict_pending' })
  await ask('block', { task: id, reason: 'on second thoughts' })
  expect(await settle(0)).toMatchObject({ status: 'blocked' })
})

test('a review is asked for in a work run; changes only in a review run', async () => {
  const { ask, settle } = await running()
  await expect(ask('request-changes', { task: id, reason: 'x' })).rejects.toMatchObject({ code: 'not_in_review' })
  await ask('request-review', { task: id, summary: 'please look', reviewer: 'critic' })
  expect(await settle(0)).toMatchObject({ status: 'review', reviewer: 'critic' })
})

test('without a word a clean exit completes, as before', async () => {
  const { settle } = await running()
  expect(await settle(0)).toMatchObject({ status: 'done' })
})

test('a card with checks is not done because its worker says so, and no worker skips them', async () => {
  const { ask, settle } = await running({ checks: ['npm test'] })
  await expect(ask('complete', { task: id, force: 'trust me' })).rejects.toMatchObject({ code: 'not_allowed' })
  await ask('complete', { task: id, summary: 'done' })
  expect(await settle(0)).toMatchObject({ status: 'ready', consecutiveFailures: 1 })
})

test('a heartbeat on its own card leaves a note', async () => {
  const { store, ask } = await running()
  expect(await ask('heartbeat', { task: id, note: 'half way' })).toMatchObject({ id, status: 'running' })
  expect(await store.run(fence.runId)).toMatchObject({ note: 'half way' })
})

test('a run that is over has no say, and what it says late is kept', async () => {
  const { store, ask, settle } = await running()
  await settle(0)
  await expect(ask('block', { task: id, reason: 'late' })).rejects.toMatchObject({ code: 'run_superseded' })
  await expect(ask('heartbeat', { task: id })).rejects.toMatchObject({ code: 'run_superseded' })
  expect(await store.task('main', id)).toMatchObject({ status: 'done' })
  const kinds = (await store.taskEvents('main', id)).map(({ kind }) => kind)
  expect(kinds).toContain('late_result')
})

test('a run that is over writes nothing more, to no card, and its words are kept', async () => {
  const { store, ask, settle } = await running()
  await settle(0)
  for (const [op, input] of [
    ['comment', { task: foreign, body: 'late' }],
    ['create', { title: 'late' }],
  ] as const)
    await expect(ask(op, input)).rejects.toMatchObject({ code: 'run_superseded' })
  expect(await store.comments('main', foreign)).toEqual({ comments: [], earlier: 0 })
  expect(await store.tasks('main')).toHaveLength(2)
  const late = (await store.taskEvents('main', id)).filter(({ kind }) => kind === 'late_result')
  expect(late.map(({ data }) => data['verb'])).toEqual(['comment', 'create'])
  expect(await ask('show', { task: foreign })).toMatchObject({ id: foreign })
})

test('the card of somebody else can be read and commented on, and nothing more (scenario 78)', async () => {
  const { store, ask } = await running()
  expect(await ask('show', { task: foreign })).toMatchObject({ id: foreign })
  expect(await ask('comment', { task: foreign, body: 'seen' })).toMatchObject({
    author: 'agent:shell',
    runId: fence.runId,
  })
  const refusals: [string, object][] = [
    ['complete', {}],
    ['block', { reason: 'no' }],
    ['archive', {}],
    ['delete', {}],
    ['edit', { title: 'mine' }],
  ]
  for (const [op, more] of refusals)
    await expect(ask(op, { task: foreign, ...more })).rejects.toMatchObject({ code: 'not_allowed' })
  for (const op of ['unblock', 'approve', 'reclaim', 'claim', 'request-changes', 'init', 'doctor', 'dispatch'])
    await expect(ask(op, { task: foreign, reason: 'x' })).rejects.toMatchObject({ code: 'not_allowed' })
  expect(await store.task('main', foreign)).toMatchObject({ status: 'ready', title: `Card ${foreign}` })
})

test('its own card is not its own to throw away while it runs', async () => {
  const { ask } = await running()
  for (const op of ['archive', 'delete', 'schedule'])
    await expect(ask(op, { task: id })).rejects.toMatchObject({ code: 'not_allowed' })
})

test('a card it creates is on its board, in its name, and its commands wait for a person', async () => {
  const { store, ask } = await running()
  const wish = { title: 'next', body: 'rm -rf build', assignee: 'shell' }
  const { task } = (await ask('create', wish)) as unknown as { task: TaskView }
  expect(task).toMatchObject({ board: 'main', createdBy: 'agent:shell', commandsApproved: false })
  expect(await ask('complete', { task: task.id, summary: 'not needed' })).toMatchObject({ status: 'done' })
  expect(await store.task('main', task.id)).toMatchObject({ createdByRun: fence.runId })
})

/** Agents beside the built-in shell. */
function enlist(home: string, agents: Readonly<Record<string, string>>): void {
  mkdirSync(join(home, 'agents'), { recursive: true })
  for (const [name, front] of Object.entries(agents))
    writeFileSync(join(home, 'agents', `${name}.md`), `---\n${front}\n---\n`)
}

/** What a person has to approve of a card that an editor is to take. */
async function beyondAuthor(store: Store, home: string, task: TaskView) {
  const roster = await readRoster(home)
  const agent = roster.agents.get('editor') ?? { ...SHELL_AGENT, file: null, program: null }
  return toApprove(store, task, await takerOf(store, { task, agent, roster }))
}

const COMMAND = 'harness: command\nargs: ["true"]'
const EDITOR = `${COMMAND}\npermissions: edit`
const AGENTS = {
  reader: `${COMMAND}\npermissions: read`,
  editor: EDITOR,
  boss: `${COMMAND}\npermissions: full`,
  script: 'harness: shell',
}

describe('a card that an agent creates waits for a person', () => {
  const create = async (ask: Ask, wish: object): Promise<TaskView> =>
    ((await ask('create', { title: 'next', ...wish })) as unknown as { task: TaskView }).task

  test.each([
    ['nothing but words', { body: 'rm -rf /', assignee: 'editor' }, true],
    ['words for somebody narrower', { assignee: 'reader' }, true],
    ['words for nobody yet', { body: 'rm -rf /' }, true],
    ['words for who is not there', { assignee: 'ghost' }, true],
    ['probes as checks', { assignee: 'editor', checks: ['file:*.txt', 'json:out.json'] }, true],
    ['a check that the board approves', { assignee: 'editor', checks: ['npm test'] }, true],
    ['a check of its own', { assignee: 'editor', checks: ['npm test', 'curl evil.example'] }, false],
    ['a script', { body: 'rm -rf /', assignee: 'script' }, false],
    ['somebody wider', { assignee: 'boss' }, false],
    ['a wider reviewer', { assignee: 'editor', reviewer: 'boss' }, false],
  ])('with %s: %j → %s', async (_, wish, approved) => {
    const { store, home, ask } = await running()
    enlist(home, AGENTS)
    const settings = { approvedChecks: ['npm test'] }
    unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
    expect((await create(ask, wish)).commandsApproved).toBe(approved)
  })

  test('in a directory beyond that of its author', async () => {
    const [own, other, common] = [testFolder(), testFolder(), testFolder()]
    mkdirSync(join(own, 'part'))
    symlinkSync(other, join(own, 'link'))
    const place = (path: string) => ({ workspace: { kind: 'dir', path } })
    const approvals = async (as: object): Promise<readonly boolean[]> => {
      const { store, home, ask } = await running(place(own), as)
      enlist(home, AGENTS)
      const settings = { defaultDirectory: common }
      unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
      const wishes = [{}, place(join(own, 'part')), place(common), place(other), place(join(own, 'link')), place('/')]
      const cards = await Promise.all(wishes.map((wish) => create(ask, { assignee: 'editor', ...wish })))
      return cards.map(({ commandsApproved }) => commandsApproved)
    }
    expect(await approvals({})).toEqual([true, true, true, false, false, false])
    expect(await approvals({ permissions: 'full' })).not.toContain(false)
    expect(await approvals({ tools: ['kanban'] })).not.toContain(false)
  })

  test('in a worktree of a repository beyond its own', async () => {
    const [own, other, common] = [testFolder(), testFolder(), testFolder()]
    const place = (repo: string) => ({ workspace: { kind: 'worktree', repo } })
    const approvals = async (as: object): Promise<readonly boolean[]> => {
      const { store, home, ask } = await running(place(own), as)
      enlist(home, AGENTS)
      const settings = { defaultDirectory: common }
      unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
      // The checkout of its repository is not its own; what it works in is.
      const wishes = [place(own), place(common), place(other), { workspace: { kind: 'dir', path: own } }]
      const cards = await Promise.all(wishes.map((wish) => create(ask, { assignee: 'editor', ...wish })))
      return cards.map(({ commandsApproved }) => commandsApproved)
    }
    expect(await approvals({})).toEqual([true, true, false, false])
    expect(await approvals({ permissions: 'full' })).not.toContain(false)
    expect(await approvals({ tools: ['kanban'] })).not.toContain(false)
  })

  test('in a directory that has become a link to another since', async () => {
    const own = testFolder()
    mkdirSync(join(own, 'part'))
    const { store, home, ask } = await running({ workspace: { kind: 'dir', path: own } })
    enlist(home, AGENTS)
    const task = await create(ask, { assignee: 'editor', workspace: { kind: 'dir', path: join(own, 'part') } })
    expect(await beyondAuthor(store, home, task)).toBeNull()
    rmdirSync(join(own, 'part'))
    symlinkSync(testFolder(), join(own, 'part'))
    expect(await beyondAuthor(store, home, task)).toBe('wider')
    // Who may name any directory may name one that becomes a link.
    for (const front of [`${EDITOR}\ntools: [kanban]`, AGENTS.boss]) {
      enlist(home, { shell: front })
      expect(await beyondAuthor(store, home, task)).toBeNull()
    }
  })

  test('but not in the directory of its board, though that is a link', async () => {
    const link = join(testFolder(), 'link')
    symlinkSync(testFolder(), link)
    const { store, home, ask } = await running()
    enlist(home, AGENTS)
    const settings = { defaultDirectory: link }
    unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
    for (const kind of ['dir', 'worktree']) {
      const task = await create(ask, { assignee: 'editor', workspace: { kind } })
      expect(task).toMatchObject({ commandsApproved: true })
      expect(await beyondAuthor(store, home, task)).toBeNull()
    }
  })

  test('moved to such a directory', async () => {
    const own = testFolder()
    const { store, home, ask } = await running({ workspace: { kind: 'dir', path: own } })
    enlist(home, AGENTS)
    const task = await create(ask, { assignee: 'editor' })
    await ask('edit', { task: task.id, workspace: { kind: 'dir', path: testFolder() } })
    expect(await store.task('main', task.id)).toMatchObject({ commandsApproved: false })
  })

  test('not if its author may do everything itself', async () => {
    const { home, ask } = await running({}, { permissions: 'full' })
    enlist(home, AGENTS)
    const wish = { body: 'true', assignee: 'script', reviewer: 'boss', checks: ['make'] }
    expect((await create(ask, wish)).commandsApproved).toBe(true)
  })

  test('of a reader for an editor; unless it steers the board', async () => {
    const worker = await running({}, { permissions: 'read' })
    enlist(worker.home, AGENTS)
    expect((await create(worker.ask, { assignee: 'editor' })).commandsApproved).toBe(false)
    expect((await create(worker.ask, { assignee: 'reader' })).commandsApproved).toBe(true)
    const planner = await running({}, { permissions: 'read', tools: ['kanban'] })
    enlist(planner.home, AGENTS)
    expect((await create(planner.ask, { assignee: 'editor' })).commandsApproved).toBe(true)
    expect((await create(planner.ask, { assignee: 'boss' })).commandsApproved).toBe(false)
  })

  test('by default for a script of the board', async () => {
    const { store, home, ask } = await running()
    enlist(home, AGENTS)
    const settings = { defaultAssignee: 'script' }
    unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
    expect((await create(ask, { body: 'true' })).commandsApproved).toBe(false)
  })

  test('once it becomes something else than it was', async () => {
    const { store, home, ask } = await running()
    enlist(home, AGENTS)
    const approvedAfter = async (op: string, more: object): Promise<boolean> => {
      const task = await create(ask, { assignee: 'editor', body: 'words', checks: ['file:a'] })
      await ask(op, { task: task.id, ...more })
      return (await store.task('main', task.id))?.commandsApproved ?? false
    }
    expect(await approvedAfter('edit', { body: 'other words', checks: [] })).toBe(true)
    expect(await approvedAfter('edit', { checks: ['file:a', 'make'] })).toBe(false)
    expect(await approvedAfter('edit', { reviewer: 'boss' })).toBe(false)
    expect(await approvedAfter('assign', { assignee: 'reader' })).toBe(true)
    expect(await approvedAfter('assign', { assignee: 'script' })).toBe(false)
    expect(await approvedAfter('assign', { assignee: 'boss' })).toBe(false)
  })

  test('of a person, when an agent that steers the board gives it to a script, and no sooner', async () => {
    const { store, home, ask } = await running({ checks: ['make'] }, { tools: ['kanban'] })
    enlist(home, AGENTS)
    await ask('assign', { task: foreign, assignee: 'editor' })
    expect(await store.task('main', foreign)).toMatchObject({ assignee: 'editor', commandsApproved: true })
    await ask('edit', { task: foreign, body: 'other words' })
    expect(await store.task('main', foreign)).toMatchObject({ commandsApproved: true })
    await ask('assign', { task: foreign, assignee: 'script' })
    expect(await store.task('main', foreign)).toMatchObject({ assignee: 'script', commandsApproved: false })
  })
})

test('nobody is named as a reviewer who may do more than the worker, but by the board', async () => {
  const { store, home, ask, settle } = await running()
  enlist(home, AGENTS)
  const wish = { task: id, summary: 'look', reviewer: 'boss' }
  await expect(ask('request-review', wish)).rejects.toMatchObject({ code: 'not_allowed' })
  const settings = { reviewer: 'boss' }
  unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
  await ask('request-review', wish)
  expect(await settle(0)).toMatchObject({ status: 'review', reviewer: 'boss' })
})

describe('a card made inside a run', () => {
  const create = async (ask: Ask, wish: object = {}): Promise<TaskView> =>
    ((await ask('create', { title: 'next', ...wish })) as unknown as { task: TaskView }).task
  const dir = { kind: 'dir', path: '/srv/site' }
  const worktree = { kind: 'worktree', repo: '/srv/repository' }

  test('is for the same tenant, of the same session and in the same place', async () => {
    const { ask } = await running({ tenant: 'acme', session: 's1', workspace: dir })
    expect(await create(ask)).toMatchObject({ tenant: 'acme', session: 's1', workspace: { ...dir, repo: null } })
  })

  test('has a worktree of its own of the same repository', async () => {
    const { store, ask } = await running({ workspace: worktree })
    const own = await store.task('main', id)
    expect(own?.workspace.repo).toBe('/srv/repository')
    expect((await create(ask)).workspace).toMatchObject({ kind: 'worktree', repo: '/srv/repository', path: null })
  })

  test('has a folder of its own where its author has one', async () => {
    const { ask } = await running()
    expect((await create(ask)).workspace).toMatchObject({ kind: 'scratch', path: null, repo: null })
  })

  test('is what it is said to be', async () => {
    const { ask } = await running({ tenant: 'acme', session: 's1', workspace: dir })
    const said = { tenant: 'other', session: 's2', workspace: { kind: 'scratch' } }
    expect(await create(ask, said)).toMatchObject(said)
  })

  test('for nobody who is there says who is', async () => {
    const { home, ask } = await running()
    enlist(home, { editor: EDITOR })
    const answer = await ask('create', { title: 'next', assignee: 'edtior' })
    expect(answer).toMatchObject({
      warning: 'No agent is called edtior: the card waits. There are editor, shell.',
    })
    expect(await ask('create', { title: 'next', assignee: 'editor' })).toMatchObject({ warning: null })
  })
})

describe('what a worker is refused', () => {
  const overreaches = async (store: Store) =>
    (await store.taskEvents('main', id)).filter(({ kind }) => kind === 'overreached')

  test('stands on its own card, with what it wanted and of whom', async () => {
    const { store, ask } = await running()
    await expect(ask('complete', { task: foreign })).rejects.toMatchObject({ code: 'not_allowed' })
    await expect(ask('comment', { task: elsewhere, body: 'psst' })).rejects.toMatchObject({ code: 'task_not_found' })
    await expect(ask('boards set', { slug: 'other' })).rejects.toMatchObject({ code: 'not_allowed' })
    await expect(ask('show', { task: 't_nobodyknows' })).rejects.toMatchObject({ code: 'task_not_found' })
    expect(await overreaches(store)).toMatchObject([
      { actor: 'agent:shell', runId: fence.runId, data: { asked: 'complete', target: foreign, times: 1 } },
      { data: { asked: 'comment', target: elsewhere, reason: expect.stringContaining('no card') } },
      { data: { asked: 'boards set' } },
    ])
    expect(await store.taskEvents('main', foreign)).toHaveLength(1)
  })

  test('in a loop does not fill the board', async () => {
    const { store, ask } = await running()
    for (let n = 0; n < 120; n += 1) await ask('unblock', { task: id }).catch(() => {})
    expect((await overreaches(store)).map(({ data }) => data['times'])).toEqual([1, 10, 100])
    for (let n = 0; n < 120; n += 1) await ask('unblock', { task: `t_${n}` }).catch(() => {})
    expect((await overreaches(store)).length).toBeLessThan(30)
  })
})

test('cards of other boards are not there', async () => {
  const { store, ask } = await running()
  for (const [op, more] of [
    ['show', {}],
    ['comment', { body: 'hello' }],
    ['complete', {}],
  ] as const)
    await expect(ask(op, { task: elsewhere, ...more })).rejects.toMatchObject({ code: 'task_not_found' })
  await expect(ask('create', { title: 'x', parents: [elsewhere] })).rejects.toMatchObject({ code: 'task_not_found' })
  expect(await store.comments('other', elsewhere)).toEqual({ comments: [], earlier: 0 })
  expect((await ask('list', {})) as unknown as TaskView[]).toHaveLength(2)
})

test('what is asked is checked as everywhere, and what nobody knows is said', async () => {
  const { ask } = await running()
  await expect(ask('block', { task: id })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(ask('block', { task: id, reason: 'a\0b' })).rejects.toMatchObject({ code: 'bad_text' })
  await expect(ask('show', null)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(ask('create', { title: 'x', commandsApproved: true })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'create has no field commandsApproved: remove it.',
  })
  expect(await ask('show', { task: id, later: null })).toMatchObject({ id })
  await expect(ask('fly', {})).rejects.toMatchObject({ code: 'not_supported' })
})

test('a file is named and read by the supervisor, but neither what has no end nor the board itself', async () => {
  const { store, database, ask } = await running()
  const folder = testFolder()
  const file = join(folder, 'report.txt')
  writeFileSync(file, 'text')
  const attach = (path: unknown, task = id) => ask('attach', { task, name: 'report.txt', path })
  expect(await attach(file)).toMatchObject({ filename: 'report.txt', size: 4, uploadedBy: 'agent:shell' })
  await expect(attach(file, foreign)).rejects.toMatchObject({ code: 'not_allowed' })
  for (const path of ['/dev/zero', folder, join(folder, 'nothing'), 'report.txt', 7, undefined])
    await expect(attach(path)).rejects.toMatchObject({ code: 'invalid_input' })
  linkSync(database, join(folder, 'innocent'))
  for (const path of [database, `${database}-wal`, join(folder, 'innocent')])
    await expect(attach(path)).rejects.toMatchObject({ code: 'not_allowed' })
  expect(await store.attachments('main', id)).toHaveLength(1)
})

test('artifacts are on the card as soon as its worker has said complete', async () => {
  const { store, ask, settle } = await running()
  const file = join(testFolder(), 'report.txt')
  writeFileSync(file, 'text')
  await ask('complete', { task: id, summary: 'see the report', artifacts: [file] })
  expect(await store.attachments('main', id)).toMatchObject([{ filename: 'report.txt', runId: fence.runId }])
  expect(await settle(0)).toMatchObject({ status: 'done', metadata: { artifacts: ['report.txt'] } })
})

test('artifacts named again by the same run are attached once; what was changed meanwhile is another file', async () => {
  const { store, ask, settle } = await running()
  const folder = testFolder()
  const file = join(folder, 'report.txt')
  writeFileSync(file, 'text')
  const complete = () => ask('complete', { task: id, summary: 'see the report', artifacts: [file] })
  const names = async () => (await store.attachments('main', id)).map(({ filename }) => filename)
  await complete()
  await complete()
  expect(await names()).toEqual(['report.txt'])
  writeFileSync(file, 'better text')
  await complete()
  await complete()
  expect(await names()).toEqual(['report.txt', 'report (1).txt'])
  expect(await settle(0)).toMatchObject({ metadata: { artifacts: ['report (1).txt'] } })
})
