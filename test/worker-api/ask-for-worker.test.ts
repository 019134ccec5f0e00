import { linkSync, mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { Store, TaskView } from '../../src/storage/store.ts'
import { hashToken } from '../../src/util/mint.ts'
import { askForWorker } from '../../src/worker-api/ask-for-worker.ts'
import { recordOverreach } from '../../src/worker-api/note-overreach.ts'
import { SHELL_AGENT } from '../../src/agents/agent.ts'
import { readRoster } from '../../src/agents/roster.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import type { SupervisedRun } from '../../src/supervisor/supervised-run.ts'
import { agentTrust, toApprove } from '../../src/agents/to-approve.ts'
import { card, clockwork, identity, person, runOf } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'

const id = card('a')
const foreign = card('b')
const elsewhere = card('c')
const fence = { runId: runOf('a'), tokenHash: hashToken('token') }

/** A check runner that runs no checks. */
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

/** Makes a board with a running card, a second card, and a card on another board. */
async function openRun(more: object = {}, as: object = {}): Promise<OpenRun> {
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
  const owned = {
    store,
    ticket,
    task: { swarmRole: null },
    run,
    fence,
    directory: runDirectoryAt(testFolder()),
  } as unknown as SupervisedRun
  const ask = ((op, input) =>
    recordOverreach({ owned }, { name: op, input }, () =>
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

interface OpenRun {
  readonly store: Store
  readonly database: string
  readonly home: string
  readonly ask: Ask
  readonly settle: Settle
}

type Ask = (op: string, input: unknown) => Promise<TaskView & { recorded?: string }>
type Settle = (exitCode: number) => Promise<TaskView | null>

test('`complete` on the worker’s own card applies when the run ends, whatever its exit code', async () => {
  const { store, ask, settle } = await openRun()
  const answer = await ask('complete', { task: id, summary: 'all green', metadata: { tests: 3 } })
  expect(answer).toMatchObject({ id, status: 'running' })
  expect(answer.recorded).toBe(`Recorded complete for ${id}: the card is settled when this run ends.`)
  expect(await settle(1)).toMatchObject({ status: 'done', metadata: { tests: 3 } })
  expect(await store.run(fence.runId)).toMatchObject({ outcome: 'completed', summary: 'all green', exitCode: 1 })
})

test('a `block` overrides exit 0, and may name the card by a prefix of its id', async () => {
  const { store, ask, settle } = await openRun()
  await ask('block', { task: id.slice(0, 12).toUpperCase(), reason: 'which colour?', kind: 'needs_input' })
  expect(await store.task('main', id)).toMatchObject({ status: 'running' })
  expect(await settle(0)).toMatchObject({ status: 'blocked', blockReason: 'which colour?', blockedBy: 'agent:shell' })
})

test('only `block` can replace a pending `complete`', async () => {
  const { ask, settle } = await openRun()
  await ask('complete', { task: id })
  await expect(ask('request-review', { task: id })).rejects.toMatchObject({ code: 'verdict_pending' })
  await ask('block', { task: id, reason: 'on second thoughts' })
  expect(await settle(0)).toMatchObject({ status: 'blocked' })
})

test('a work run can request a review, but cannot request changes', async () => {
  const { ask, settle } = await openRun()
  await expect(ask('request-changes', { task: id, reason: 'x' })).rejects.toMatchObject({ code: 'not_in_review' })
  await ask('request-review', { task: id, summary: 'please look', reviewer: 'critic' })
  expect(await settle(0)).toMatchObject({ status: 'review', reviewer: 'critic' })
})

test('a run without a verdict completes its card if it exits 0', async () => {
  const { settle } = await openRun()
  expect(await settle(0)).toMatchObject({ status: 'done' })
})

test('a worker cannot skip the checks of its card', async () => {
  const { ask, settle } = await openRun({ checks: ['npm test'] })
  await expect(ask('complete', { task: id, force: 'trust me' })).rejects.toMatchObject({ code: 'not_allowed' })
  await ask('complete', { task: id, summary: 'done' })
  expect(await settle(0)).toMatchObject({ status: 'ready', consecutiveFailures: 1 })
})

test('a heartbeat stores its note on the run', async () => {
  const { store, ask } = await openRun()
  expect(await ask('heartbeat', { task: id, note: 'half way' })).toMatchObject({ id, status: 'running' })
  expect(await store.run(fence.runId)).toMatchObject({ note: 'half way' })
})

test('a verdict for an ended run is refused and recorded', async () => {
  const { store, ask, settle } = await openRun()
  await settle(0)
  await expect(ask('block', { task: id, reason: 'late' })).rejects.toMatchObject({ code: 'run_superseded' })
  await expect(ask('heartbeat', { task: id })).rejects.toMatchObject({ code: 'run_superseded' })
  expect(await store.task('main', id)).toMatchObject({ status: 'done' })
  const kinds = (await store.taskEvents('main', id)).map(({ kind }) => kind)
  expect(kinds).toContain('late_result')
})

test('comments and new cards of an ended run are refused and recorded', async () => {
  const { store, ask, settle } = await openRun()
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

test('a worker may read and comment on other cards, but not change them (scenario 78)', async () => {
  const { store, ask } = await openRun()
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

test('a worker cannot archive, delete or schedule its own card', async () => {
  const { ask } = await openRun()
  for (const op of ['archive', 'delete', 'schedule'])
    await expect(ask(op, { task: id })).rejects.toMatchObject({ code: 'not_allowed' })
})

test("a card created by a worker is on the worker's board, and its script waits for approval", async () => {
  const { store, ask } = await openRun()
  const fields = { title: 'next', body: 'rm -rf build', assignee: 'shell' }
  const { task } = (await ask('create', fields)) as unknown as { task: TaskView }
  expect(task).toMatchObject({ board: 'main', createdBy: 'agent:shell', commandsApproved: false })
  expect(await ask('complete', { task: task.id, summary: 'not needed' })).toMatchObject({ status: 'done' })
  expect(await store.task('main', task.id)).toMatchObject({ createdByRun: fence.runId })
})

/** Adds agents in addition to the built-in shell. */
function addAgents(home: string, agents: Readonly<Record<string, string>>): void {
  mkdirSync(join(home, 'agents'), { recursive: true })
  for (const [name, front] of Object.entries(agents))
    writeFileSync(join(home, 'agents', `${name}.md`), `---\n${front}\n---\n`)
}

/**
 * Returns why a person must approve a card before the editor may run it. Null means that the card needs no approval.
 */
async function beyondAuthor(store: Store, home: string, task: TaskView) {
  const roster = await readRoster(home)
  const agent = roster.agents.get('editor') ?? { ...SHELL_AGENT, file: null, program: null }
  return toApprove(store, task, await agentTrust(store, { task, agent, roster }))
}

const COMMAND = 'harness: command\nargs: ["true"]'
const EDITOR = `${COMMAND}\npermissions: edit`
const AGENTS = {
  reader: `${COMMAND}\npermissions: read`,
  editor: EDITOR,
  boss: `${COMMAND}\npermissions: full`,
  script: 'harness: shell',
}

describe('approval of cards that an agent creates', () => {
  const create = async (ask: Ask, fields: object): Promise<TaskView> =>
    ((await ask('create', { title: 'next', ...fields })) as unknown as { task: TaskView }).task

  test.each([
    ['only a text', { body: 'rm -rf /', assignee: 'editor' }, 'no approval'],
    ['an assignee with fewer permissions', { assignee: 'reader' }, 'no approval'],
    ['no assignee', { body: 'rm -rf /' }, 'no approval'],
    ['an unknown assignee', { assignee: 'ghost' }, 'no approval'],
    ['only probes as checks', { assignee: 'editor', checks: ['file:*.txt', 'json:out.json'] }, 'no approval'],
    ['a check that the board has approved', { assignee: 'editor', checks: ['npm test'] }, 'no approval'],
    ['a new check', { assignee: 'editor', checks: ['npm test', 'curl evil.example'] }, 'approval'],
    ['a script', { body: 'rm -rf /', assignee: 'script' }, 'approval'],
    ['an assignee with more permissions', { assignee: 'boss' }, 'approval'],
    ['a reviewer with more permissions', { assignee: 'editor', reviewer: 'boss' }, 'approval'],
  ])('a card with %s (%j) needs %s', async (_, fields, need) => {
    const { store, home, ask } = await openRun()
    addAgents(home, AGENTS)
    const settings = { approvedChecks: ['npm test'] }
    unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
    expect((await create(ask, fields)).commandsApproved).toBe(need === 'no approval')
  })

  test('a card outside the directory of its author needs approval', async () => {
    const [own, other, common] = [testFolder(), testFolder(), testFolder()]
    mkdirSync(join(own, 'part'))
    symlinkSync(other, join(own, 'link'))
    const place = (path: string) => ({ workspace: { kind: 'dir', path } })
    const approvals = async (as: object): Promise<readonly boolean[]> => {
      const { store, home, ask } = await openRun(place(own), as)
      addAgents(home, AGENTS)
      const settings = { defaultDirectory: common }
      unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
      const requests = [{}, place(join(own, 'part')), place(common), place(other), place(join(own, 'link')), place('/')]
      const cards = await Promise.all(requests.map((fields) => create(ask, { assignee: 'editor', ...fields })))
      return cards.map(({ commandsApproved }) => commandsApproved)
    }
    expect(await approvals({})).toEqual([true, true, true, false, false, false])
    expect(await approvals({ permissions: 'full' })).not.toContain(false)
    expect(await approvals({ tools: ['kanban'] })).not.toContain(false)
  })

  test('a card in a worktree of another repository needs approval', async () => {
    const [own, other, common] = [testFolder(), testFolder(), testFolder()]
    const place = (repo: string) => ({ workspace: { kind: 'worktree', repo } })
    const approvals = async (as: object): Promise<readonly boolean[]> => {
      const { store, home, ask } = await openRun(place(own), as)
      addAgents(home, AGENTS)
      const settings = { defaultDirectory: common }
      unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
      // The last request needs approval, because the worker owns its worktree but not the checkout of the repository.
      const requests = [place(own), place(common), place(other), { workspace: { kind: 'dir', path: own } }]
      const cards = await Promise.all(requests.map((fields) => create(ask, { assignee: 'editor', ...fields })))
      return cards.map(({ commandsApproved }) => commandsApproved)
    }
    expect(await approvals({})).toEqual([true, true, false, false])
    expect(await approvals({ permissions: 'full' })).not.toContain(false)
    expect(await approvals({ tools: ['kanban'] })).not.toContain(false)
  })

  test('a card needs approval if its directory becomes a link to another directory', async () => {
    const own = testFolder()
    mkdirSync(join(own, 'part'))
    const { store, home, ask } = await openRun({ workspace: { kind: 'dir', path: own } })
    addAgents(home, AGENTS)
    const task = await create(ask, { assignee: 'editor', workspace: { kind: 'dir', path: join(own, 'part') } })
    expect(await beyondAuthor(store, home, task)).toBeNull()
    rmdirSync(join(own, 'part'))
    symlinkSync(testFolder(), join(own, 'part'))
    expect(await beyondAuthor(store, home, task)).toBe('wider')
    // An author that may use any directory needs no approval for a directory that becomes a link.
    for (const front of [`${EDITOR}\ntools: [kanban]`, AGENTS.boss]) {
      addAgents(home, { shell: front })
      expect(await beyondAuthor(store, home, task)).toBeNull()
    }
  })

  test('a card in the board’s default directory needs no approval, even if the directory is a link', async () => {
    const link = join(testFolder(), 'link')
    symlinkSync(testFolder(), link)
    const { store, home, ask } = await openRun()
    addAgents(home, AGENTS)
    const settings = { defaultDirectory: link }
    unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
    for (const kind of ['dir', 'worktree']) {
      const task = await create(ask, { assignee: 'editor', workspace: { kind } })
      expect(task).toMatchObject({ commandsApproved: true })
      expect(await beyondAuthor(store, home, task)).toBeNull()
    }
  })

  test('a card that moves outside the directory of its author needs approval', async () => {
    const own = testFolder()
    const { store, home, ask } = await openRun({ workspace: { kind: 'dir', path: own } })
    addAgents(home, AGENTS)
    const task = await create(ask, { assignee: 'editor' })
    await ask('edit', { task: task.id, workspace: { kind: 'dir', path: testFolder() } })
    expect(await store.task('main', task.id)).toMatchObject({ commandsApproved: false })
  })

  test('a card of an author with full permissions needs no approval', async () => {
    const { home, ask } = await openRun({}, { permissions: 'full' })
    addAgents(home, AGENTS)
    const fields = { body: 'true', assignee: 'script', reviewer: 'boss', checks: ['make'] }
    expect((await create(ask, fields)).commandsApproved).toBe(true)
  })

  test('a reader’s card for an editor needs approval, unless the reader is an orchestrator', async () => {
    const worker = await openRun({}, { permissions: 'read' })
    addAgents(worker.home, AGENTS)
    expect((await create(worker.ask, { assignee: 'editor' })).commandsApproved).toBe(false)
    expect((await create(worker.ask, { assignee: 'reader' })).commandsApproved).toBe(true)
    const planner = await openRun({}, { permissions: 'read', tools: ['kanban'] })
    addAgents(planner.home, AGENTS)
    expect((await create(planner.ask, { assignee: 'editor' })).commandsApproved).toBe(true)
    expect((await create(planner.ask, { assignee: 'boss' })).commandsApproved).toBe(false)
  })

  test('an unassigned card with a body needs approval if the default assignee runs bodies as scripts', async () => {
    const { store, home, ask } = await openRun()
    addAgents(home, AGENTS)
    const settings = { defaultAssignee: 'script' }
    unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
    expect((await create(ask, { body: 'true' })).commandsApproved).toBe(false)
  })

  test('a card needs approval after changes to its checks, reviewer or assignee', async () => {
    const { store, home, ask } = await openRun()
    addAgents(home, AGENTS)
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

  test('a person’s card needs approval when an agent assigns it to a script agent', async () => {
    const { store, home, ask } = await openRun({ checks: ['make'] }, { tools: ['kanban'] })
    addAgents(home, AGENTS)
    await ask('assign', { task: foreign, assignee: 'editor' })
    expect(await store.task('main', foreign)).toMatchObject({ assignee: 'editor', commandsApproved: true })
    await ask('edit', { task: foreign, body: 'other words' })
    expect(await store.task('main', foreign)).toMatchObject({ commandsApproved: true })
    await ask('assign', { task: foreign, assignee: 'script' })
    expect(await store.task('main', foreign)).toMatchObject({ assignee: 'script', commandsApproved: false })
  })
})

test('a worker can name a reviewer with more permissions only if the board has the same reviewer', async () => {
  const { store, home, ask, settle } = await openRun()
  addAgents(home, AGENTS)
  const fields = { task: id, summary: 'look', reviewer: 'boss' }
  await expect(ask('request-review', fields)).rejects.toMatchObject({ code: 'not_allowed' })
  const settings = { reviewer: 'boss' }
  unwrap(await store.decide({ ...decideAs(store).address, verb: 'set_board', input: { settings } }))
  await ask('request-review', fields)
  expect(await settle(0)).toMatchObject({ status: 'review', reviewer: 'boss' })
})

describe('cards created inside a run', () => {
  const create = async (ask: Ask, fields: object = {}): Promise<TaskView> =>
    ((await ask('create', { title: 'next', ...fields })) as unknown as { task: TaskView }).task
  const dir = { kind: 'dir', path: '/srv/site' }
  const worktree = { kind: 'worktree', repo: '/srv/repository' }

  test('a card created in a run inherits its tenant, session and directory', async () => {
    const { ask } = await openRun({ tenant: 'acme', session: 's1', workspace: dir })
    expect(await create(ask)).toMatchObject({ tenant: 'acme', session: 's1', workspace: { ...dir, repo: null } })
  })

  test('a card created in a worktree gets its own worktree of that repository', async () => {
    const { store, ask } = await openRun({ workspace: worktree })
    const own = await store.task('main', id)
    expect(own?.workspace.repo).toBe('/srv/repository')
    expect((await create(ask)).workspace).toMatchObject({ kind: 'worktree', repo: '/srv/repository', path: null })
  })

  test('a card created in a scratch folder gets its own scratch folder', async () => {
    const { ask } = await openRun()
    expect((await create(ask)).workspace).toMatchObject({ kind: 'scratch', path: null, repo: null })
  })

  test('explicit fields override the inherited ones', async () => {
    const { ask } = await openRun({ tenant: 'acme', session: 's1', workspace: dir })
    const fields = { tenant: 'other', session: 's2', workspace: { kind: 'scratch' } }
    expect(await create(ask, fields)).toMatchObject(fields)
  })

  test('an unknown assignee gives a warning with the known agents', async () => {
    const { home, ask } = await openRun()
    addAgents(home, { editor: EDITOR })
    const answer = await ask('create', { title: 'next', assignee: 'edtior' })
    expect(answer).toMatchObject({
      warning: 'No agent is called edtior, so the card waits. Agents: editor, shell.',
    })
    expect(await ask('create', { title: 'next', assignee: 'editor' })).toMatchObject({ warning: null })
  })
})

describe('refused requests of a worker', () => {
  const overreaches = async (store: Store) =>
    (await store.taskEvents('main', id)).filter(({ kind }) => kind === 'overreached')

  test('refused requests are recorded on the worker’s own card with their target', async () => {
    const { store, ask } = await openRun()
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

  test('repeated refused requests are recorded only a few times', async () => {
    const { store, ask } = await openRun()
    for (let n = 0; n < 120; n += 1) await ask('unblock', { task: id }).catch(() => {})
    expect((await overreaches(store)).map(({ data }) => data['times'])).toEqual([1, 10, 100])
    for (let n = 0; n < 120; n += 1) await ask('unblock', { task: `t_${n}` }).catch(() => {})
    expect((await overreaches(store)).length).toBeLessThan(30)
  })
})

test('a worker cannot find a card of another board', async () => {
  const { store, ask } = await openRun()
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

test('invalid input and unknown operations are refused', async () => {
  const { ask } = await openRun()
  await expect(ask('block', { task: id })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(ask('block', { task: id, reason: 'a\0b' })).rejects.toMatchObject({ code: 'bad_text' })
  await expect(ask('show', null)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(ask('create', { title: 'x', commandsApproved: true })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'create has no field commandsApproved. Remove it.',
  })
  expect(await ask('show', { task: id, later: null })).toMatchObject({ id })
  await expect(ask('fly', {})).rejects.toMatchObject({ code: 'not_supported' })
})

test('a worker may attach files, but not devices, folders or the store', async () => {
  const { store, database, ask } = await openRun()
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

test('artifacts are attached as soon as the worker reports `complete`', async () => {
  const { store, ask, settle } = await openRun()
  const file = join(testFolder(), 'report.txt')
  writeFileSync(file, 'text')
  await ask('complete', { task: id, summary: 'see the report', artifacts: [file] })
  expect(await store.attachments('main', id)).toMatchObject([{ filename: 'report.txt', runId: fence.runId }])
  expect(await settle(0)).toMatchObject({ status: 'done', metadata: { artifacts: ['report.txt'] } })
})

test('an artifact is attached once per run, and again if the file has changed', async () => {
  const { store, ask, settle } = await openRun()
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
