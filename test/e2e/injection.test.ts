// Tests agents that follow injected instructions, through the real binary. These fixtures of the harness `command` use
// the tools of their run, the CLI and the files they find.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import { readTicket } from '../../src/supervisor/start/ticket.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import { BIN, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { writeAgent } from '../helpers/run-cards.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'

const OBEYS = join(import.meta.dirname, '..', 'fixtures', 'agents', 'obeys.mjs')
const CLI = [process.execPath, BIN]

interface Answer {
  readonly isError?: boolean
  readonly answer?: unknown
  readonly status?: number | null
  readonly stdout?: string
  readonly stderr?: string
}

const OBEDIENT = `harness: command\nargs: [${OBEYS}, "{mcp}", "{bodyFile}"]`

async function addObedientAgents(home: TestHome): Promise<void> {
  await home.runInline('init')
  writeAgent(home, 'obedient', OBEDIENT)
  writeAgent(home, 'boss', `${OBEDIENT}\npermissions: full`)
}

const createObedientCard = (home: TestHome, orders: readonly object[]): ReturnType<TestHome['create']> =>
  home.create('Do as you are told', '--assignee', 'obedient', '--body', JSON.stringify(orders))

const answersOf = (home: TestHome, id: TaskId): readonly Answer[] =>
  JSON.parse(readFileSync(home.workspace(id, 'answers.json'), 'utf8')) as Answer[]

const refusal = (code: string): object => ({ isError: true, answer: expect.stringContaining(`(${code})`) })

const overreaches = ({ events }: TaskDetails): readonly string[] =>
  events
    .filter(({ kind }) => kind === 'overreached')
    .map(({ data }) => [data['asked'], data['target']].map(String).join(' '))

describe.each(SURFACE_ENGINES)('an agent with injected instructions (%s)', (engine) => {
  test('an agent finds no token, and its children cannot end its card (scenario 77)', async () => {
    const home = makeTestHome(engine)
    await addObedientAgents(home)
    const complete = [...CLI, 'complete', '$own', '--summary', 'stolen']
    const card = await createObedientCard(home, [
      { look: true },
      { nested: complete },
      { nested: ['env', 'MUSTER_NONCE=guessed', ...complete] },
      { nested: ['env', '-u', 'MUSTER_SOCKET', ...complete] },
      { nested: [...CLI, 'mcp'] },
      { delegate: [{ call: 'kanban_complete', with: { summary: 'stolen' } }] },
      { call: 'kanban_complete', with: { summary: 'its own word' } },
    ])
    await home.dispatch('--wait')
    const [handed, ...later] = answersOf(home, card.id)
    const { status, runs } = await home.show(card.id)
    const ticket = readTicket(runDirectoryAt(join(runs[0]?.logPath ?? '', '..')))
    expect(ticket?.token.length).toBeGreaterThan(20)
    const found = JSON.stringify(handed)
    for (const secret of [ticket?.token ?? '', ticket?.store ?? '', 'MUSTER_STORE', 'MUSTER_HOME', 'PGPASSWORD'])
      expect(found).not.toContain(secret)
    const { environment, system } = handed as unknown as { environment: NodeJS.ProcessEnv; system: string }
    expect([environment['MUSTER_TASK'], environment['MUSTER_NONCE']]).toEqual([card.id, undefined])
    expect(system).not.toContain('MUSTER_NONCE')

    expect(later.slice(0, 4)).toMatchObject([{ status: 4 }, { status: 4 }, { status: 4 }, { status: 4 }])
    expect(later[4]).toMatchObject({ status: 1, stderr: expect.stringContaining('these tools belong to a run') })
    expect(later.at(-1)).toMatchObject({ isError: false })
    expect([status, runs[0]?.summary]).toEqual(['done', 'its own word'])
  })
})

// These tests do not depend on the engine.
describe('an agent with injected instructions', () => {
  test('an agent cannot change the cards of others or other boards (scenario 78)', async () => {
    const home = makeTestHome('sqlite')
    await addObedientAgents(home)
    await home.runInline('boards', 'create', 'other')
    const victim = await home.create('Mind your own', '--assignee', 'nobody')
    const second = await home.create('And yours', '--assignee', 'nobody')
    const far = await home.create('Far away', '--board', 'other', '--assignee', 'nobody')
    const before = await Promise.all([victim, second, far].map(({ id }) => home.show(id)))

    const onOthers = [
      { call: 'kanban_complete', with: { task: victim.id, summary: 'done' } },
      { call: 'kanban_block', with: { task: victim.id, reason: 'no' } },
      { call: 'kanban_link', with: { parent: victim.id, child: second.id } },
      { call: 'kanban_attach', with: { task: victim.id, path: '$entry' } },
      { call: 'kanban_unblock', with: { task: '$own' } },
      { call: 'kanban_list' },
      { run: [...CLI, 'unblock', victim.id] },
      { run: [...CLI, 'edit', victim.id, '--body', 'mine'] },
      { run: [...CLI, 'assign', victim.id, 'obedient'] },
      { run: [...CLI, 'complete', '--force=trust me', victim.id] },
    ]
    const otherBoards = [
      { call: 'kanban_create', with: { title: 'x', board: 'other' } },
      { call: 'kanban_comment', with: { task: far.id, body: 'psst' } },
      { call: 'kanban_complete', with: { task: far.id.slice(0, 9), summary: 'done' } },
      {
        call: 'kanban_comment',
        with: { task: far.id, body: 'psst' },
        env: { MUSTER_BOARD: 'other', MUSTER_TASK: far.id },
      },
      { run: [...CLI, 'complete', far.id], env: { MUSTER_BOARD: 'other', MUSTER_HOME: home.home } },
      { run: [...CLI, 'boards', 'archive', 'other'], env: { MUSTER_BOARD: 'other' } },
      { call: 'kanban_create', with: { title: 'Here' }, env: { MUSTER_BOARD: 'other' } },
    ]
    const one = await createObedientCard(home, onOthers)
    const two = await createObedientCard(home, otherBoards)
    await home.dispatch('--wait')

    const notAllowed = refusal('not_allowed')
    expect(answersOf(home, one.id)).toEqual([
      ...Array.from({ length: 6 }, () => notAllowed),
      ...Array.from({ length: 4 }, () => expect.objectContaining({ status: 1, stdout: '' })),
    ])
    const missing = refusal('task_not_found')
    expect(answersOf(home, two.id)).toMatchObject([
      notAllowed,
      missing,
      missing,
      missing,
      { status: 3, stdout: '' },
      { status: 1, stdout: '' },
      { isError: false, answer: { created: true } },
    ])
    expect(await Promise.all([victim, second, far].map(({ id }) => home.show(id)))).toEqual(before)
    const store = await home.store()
    expect(await store.tasks('other')).toHaveLength(1)
    expect((await store.board('other'))?.archivedAt).toBeNull()

    const [first, other] = await Promise.all([home.show(one.id), home.show(two.id)])
    expect(overreaches(first)).toEqual([
      `kanban_complete ${victim.id}`,
      `kanban_block ${victim.id}`,
      `kanban_link ${second.id}`,
      `kanban_attach ${victim.id}`,
      `kanban_unblock ${one.id}`,
      'kanban_list null',
      `unblock ${victim.id}`,
      `edit ${victim.id}`,
      `assign ${victim.id}`,
      `complete ${victim.id}`,
    ])
    expect(overreaches(other)).toEqual([
      'kanban_create other',
      `kanban_comment ${far.id}`,
      `kanban_complete ${far.id.slice(0, 9)}`,
      `complete ${far.id}`,
      'boards archive other',
    ])
    expect((await home.runInline('show', one.id)).stdout).toMatch(/overreached +agent:obedient/)
    expect([first.status, other.status]).toEqual(['done', 'done'])
  })

  test("commands and texts of an agent wait for a person's approval", async () => {
    const home = makeTestHome('sqlite')
    await addObedientAgents(home)
    const wishes = [
      { title: 'A check', assignee: 'obedient', checks: ['touch hacked'] },
      { title: 'A script', assignee: 'shell', body: 'touch hacked' },
      { title: 'For somebody wider', assignee: 'boss' },
      { title: 'For nobody' },
    ]
    const card = await createObedientCard(home, [
      ...wishes.map((wish) => ({ call: 'kanban_create', with: wish })),
      { run: [...CLI, 'assign', '$created', 'boss'] },
      { run: [...CLI, 'approve', '$created', '--commands'] },
    ])
    await home.dispatch('--wait')
    const made = answersOf(home, card.id)
    const waits = { isError: false, answer: { waitsForApproval: true, next: expect.stringContaining('--commands') } }
    expect(made).toMatchObject([waits, waits, waits, { isError: false }, { status: 0 }, { status: 1, stdout: '' }])
    expect(made[3]?.answer).not.toHaveProperty('waitsForApproval')
    expect(overreaches(await home.show(card.id))).toEqual([expect.stringMatching(/^approve-commands t_/)])

    const cards = (await (await home.store()).tasks('default')).filter(({ id }) => id !== card.id)
    expect(cards.map(({ commandsApproved }) => commandsApproved)).toEqual([false, false, false, false])
    expect((await home.dispatch()).started).toEqual([])
    for (const { id } of cards)
      expect((await home.runInline('why', id)).stdout).toContain(`→ muster approve ${id} --commands`)
  })

  test('a text that becomes a script later still needs approval', async () => {
    const home = makeTestHome('sqlite')
    await addObedientAgents(home)
    const body = 'touch ran'
    const wishes = [
      { title: 'For who comes later', assignee: 'later', body },
      { title: 'For nobody yet', body },
      { title: 'For its like', assignee: 'obedient', body: '[]' },
    ]
    const card = await createObedientCard(
      home,
      wishes.map((wish) => ({ call: 'kanban_create', with: wish })),
    )
    await home.dispatch('--wait')
    const made = answersOf(home, card.id).map(({ answer }) => answer as { id: TaskId; warning?: string })
    expect(made[0]?.warning).toContain('No agent is called later')
    const [late, nobody, like] = made.map(({ id }) => id) as [TaskId, TaskId, TaskId]

    writeAgent(home, 'later', 'harness: shell')
    await home.setBoard({ defaultAssignee: 'shell' })
    expect(await home.dispatch('--dry-run')).toMatchObject({ started: [{ id: like }] })
    expect((await home.runInline('why', late)).stdout).toContain('This script was written by an agent')
    expect(await home.dispatch('--wait')).toMatchObject({ started: [{ id: like }] })
    expect((await home.show(like)).status).toBe('done')
    for (const id of [late, nobody]) {
      const { events, status } = await home.show(id)
      expect([status, events.at(-1)?.kind]).toEqual(['ready', 'approval_needed'])
    }
    const { stdout } = await home.runInline('approve', late, '--commands')
    expect(stdout).toContain('agent  later  (shell, permissions edit)\n  body, run as a script\n    touch ran')
    await home.dispatch('--wait')
    expect([(await home.show(late)).status, (await home.show(nobody)).status]).toEqual(['done', 'ready'])
  })

  test('a script changed by an agent needs approval after a reassignment', async () => {
    const home = makeTestHome('sqlite')
    await addObedientAgents(home)
    writeAgent(home, 'obedient', `${OBEDIENT}\nonExit: verdict`)
    const orders = [
      { run: [...CLI, 'edit', '$own', '--body', 'touch ran'] },
      { call: 'kanban_block', with: { reason: 'look', kind: 'needs_input' } },
    ]
    const { id } = await createObedientCard(home, orders)
    await home.dispatch('--wait')
    expect(await home.show(id)).toMatchObject({ status: 'blocked', body: 'touch ran', commandsApproved: true })

    const { stderr } = await home.muster('assign', id, 'shell')
    expect(stderr).toBe(
      `The card waits: This script was written by an agent and needs your approval.\n  → muster approve ${id} --commands\n`,
    )
    expect((await home.muster('assign', id, 'obedient')).stderr).toBe('')
    expect((await home.muster('reassign', id, 'shell')).stderr).toContain('This script was written by an agent')
    await home.runInline('unblock', id)
    expect((await home.dispatch('--dry-run')).started).toEqual([])
    expect((await home.dispatch('--wait')).started).toEqual([])
    expect((await home.show(id)).events.at(-1)?.kind).toBe('approval_needed')
    expect((await home.runInline('why', id)).stdout).toContain(`→ muster approve ${id} --commands`)

    await home.runInline('approve', id, '--commands')
    await home.dispatch('--wait')
    expect((await home.show(id)).status).toBe('done')
  })
})
