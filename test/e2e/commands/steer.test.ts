// Tests the commands that change the status of cards, in the order of a typical use, through the real binary.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { unwrap } from '../../../src/core/command.ts'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import { newTaskId } from '../../../src/util/mint.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import { rowsOf, taskOf, tasksOf } from '../../helpers/answers.ts'
import { appeared, makeCommandHome } from '../../helpers/cli.ts'
import type { TestHome } from '../../helpers/cli.ts'
import { orchestrator } from '../../helpers/sample.ts'
import { WAITS, isGone, numberIn } from '../../helpers/run-cards.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'

const SAVES_PID = `echo $$ >pid; ${WAITS}`

/** Whether the agent of a card has ended; its supervisor may still be cleaning up. */
const isAgentGone = (home: TestHome, id: TaskId): boolean => isGone(numberIn(home.workspace(id, 'pid')))

/** Reads the version number of the SQLite data, which changes with every commit of another connection. */
function dataVersion(home: TestHome): () => unknown {
  const side = connect(join(home.home, 'muster.db'), 'rw')
  onTestFinished(() => side.close())
  return () => side.query({ strings: ['pragma data_version'], values: [] })
}

async function liveCard(home: TestHome, title: string): Promise<TaskId> {
  const card = await home.create(title, '--assignee', 'shell', '--body', SAVES_PID)
  await home.dispatch()
  await home.liveRun(card.id)
  await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))
  return card.id
}

describe.each(SURFACE_ENGINES)('commands that change the status (%s)', (engine) => {
  test('a person can block, schedule, hold and release cards', async () => {
    const home = makeCommandHome(engine)
    const [a, b] = [await home.create('A', '--assignee', 'coder'), await home.create('B')]

    const blocked = await tasksOf(home, 'block', a.id, b.id, 'waiting', 'for the key', '--kind', 'capability')
    const why = { status: 'blocked', blockKind: 'capability', blockReason: 'waiting for the key', blockedBy: 'tester' }
    expect(blocked).toMatchObject([
      { id: a.id, ...why },
      { id: b.id, ...why },
    ])
    expect(await tasksOf(home, 'unblock', a.id, b.id, 'it has come')).toMatchObject([
      { status: 'ready', blockKind: null },
      { status: 'ready', blockKind: null },
    ])
    expect((await home.show(a.id)).events.at(-1)).toMatchObject({ kind: 'unblocked', data: { reason: 'it has come' } })
    expect((await home.show(a.id)).comments).toMatchObject([
      { body: 'it has come', answerTo: { verb: 'unblock', question: 'waiting for the key' } },
    ])

    const before = Date.now()
    const [later] = await tasksOf(home, 'schedule', a.id, '--at', '+2h', '--reason', 'after lunch')
    expect(later?.status).toBe('scheduled')
    expect(later?.scheduledAt).toBeGreaterThanOrEqual(before + 7_200_000)
    expect(await tasksOf(home, 'schedule', a.id)).toMatchObject([{ status: 'scheduled', scheduledAt: null }])
    expect(await tasksOf(home, 'unblock', a.id)).toMatchObject([{ status: 'ready', scheduledAt: null }])

    expect(await tasksOf(home, 'hold', a.id, 'not today')).toMatchObject([{ status: 'ready', held: true }])
    expect(await tasksOf(home, 'release', a.id)).toMatchObject([{ held: false, assignee: 'coder' }])
    expect(await home.muster('hold', a.id)).toEqual({ code: 0, stdout: `Held ${a.id}  (ready, on hold)\n`, stderr: '' })
  })

  test('only `--force` promotes a card with an open parent', async () => {
    const home = makeCommandHome(engine)
    const parent = await home.create('Parent')
    const child = await home.create('Child', '--parent', parent.id, '--assignee', 'coder')
    const store = await home.store()
    const before = await store.exportAll()
    const version = engine === 'sqlite' ? dataVersion(home) : () => null
    const seen = version()

    const refused = await home.muster('promote', child.id, '--json')
    expect([refused.code, refused.stderr]).toEqual([1, ''])
    expect(JSON.parse(refused.stdout)).toMatchObject([{ ok: false, error: { details: { parents: [parent.id] } } }])
    const dry = await home.muster('promote', child.id, '--dry-run')
    expect([dry.code, dry.stdout]).toEqual([1, ''])
    expect(dry.stderr).toContain(`waits for ${parent.id}: wait until they finish, or use --force`)
    const [row] = await rowsOf(home, 'promote', child.id, '--dry-run', '--force')
    expect(row).toMatchObject({ ok: true, dryRun: true, waives: [parent.id], task: { status: 'todo' } })
    expect(await store.exportAll()).toEqual(before)
    expect(version()).toEqual(seen)

    const promoted = await tasksOf(home, 'promote', child.id, 'it does not need it', '--force')
    expect(promoted).toMatchObject([{ status: 'ready', assignee: 'coder' }])
    expect((await home.show(child.id)).events.at(-1)).toMatchObject({
      kind: 'promoted_manual',
      data: { reason: 'it does not need it', forced: true, waived: [parent.id] },
    })
  })

  test('a person can send a card to review, approve, reopen and complete the card by force', async () => {
    const home = makeCommandHome(engine)
    const { id } = await home.create('A', '--assignee', 'coder')
    const asked = await tasksOf(home, 'request-review', id, '--summary', 'see the branch', '--reviewer', 'critic')
    expect(asked).toMatchObject([{ status: 'review', reviewer: 'critic' }])
    expect(await taskOf(home, 'request-changes', id, 'no tests', 'yet')).toMatchObject({ status: 'ready' })
    expect((await home.show(id)).events.at(-1)).toMatchObject({
      kind: 'changes_requested',
      data: { reason: 'no tests yet' },
    })
    await tasksOf(home, 'request-review', id)
    expect(await tasksOf(home, 'approve', id, '--summary', 'good')).toMatchObject([
      { status: 'done', result: 'see the branch' },
    ])
    expect(await tasksOf(home, 'reopen', id, 'not so good')).toMatchObject([{ status: 'ready', completedAt: null }])

    await taskOf(home, 'edit', id, '--check', 'exit 1')
    const unchecked = await home.muster('complete', id)
    expect([unchecked.code, unchecked.stderr]).toMatchObject([1, expect.stringContaining('check failed')])
    expect(await tasksOf(home, 'complete', id, '--force', '-m', 'the check is wrong')).toMatchObject([
      { status: 'done' },
    ])
    expect((await home.show(id)).events.at(-1)).toMatchObject({
      kind: 'completed',
      data: { forced: 'the check is wrong' },
    })
  })

  test('archived and deleted cards can be brought back', async () => {
    const home = makeCommandHome(engine)
    const [a, b] = [await home.create('A'), await home.create('B')]
    expect(await tasksOf(home, 'archive', a.id, b.id)).toMatchObject([{ status: 'archived' }, { status: 'archived' }])
    expect(await tasksOf(home, 'unarchive', a.id, b.id)).toMatchObject([{ status: 'ready' }, { status: 'ready' }])
    const [gone] = await tasksOf(home, 'delete', a.id)
    expect(gone).toMatchObject({ id: a.id, deletedBy: 'tester', deletedAt: expect.any(Number) })
    const bulk = await home.muster('delete', a.id, b.id, '--json')
    expect([bulk.code, bulk.stderr]).toEqual([1, ''])
    expect(JSON.parse(bulk.stdout)).toMatchObject([
      { id: a.id, ok: false, error: { code: 'task_not_found' } },
      { id: b.id, ok: true },
    ])
    const back = await tasksOf(home, 'undelete', a.id.slice(0, 9), b.id)
    expect(back).toMatchObject([{ id: a.id, deletedAt: null, status: 'ready' }, { id: b.id }])
  })

  test('commands written by an agent run only after these exact commands are approved', async () => {
    const home = makeCommandHome(engine)
    await home.muster('init')
    const id = newTaskId()
    const written = { id, title: 'A', assignee: 'shell', body: 'rm -rf build', checks: ['npm test'] }
    const store = await home.store()
    unwrap(await store.decide({ verb: 'create', board: 'default', actor: orchestrator, input: { cards: [written] } }))
    expect((await home.dispatch('--dry-run')).started).toEqual([])

    const agent = { name: 'shell', harness: 'shell', permissions: 'edit' }
    const commands = { body: written.body, checks: written.checks, directory: null, agent }
    const hash = createHash('sha256').update(JSON.stringify(commands)).digest('hex')
    expect(await rowsOf(home, 'approve', id, '--commands', '--dry-run')).toMatchObject([
      { ok: true, dryRun: true, commands, hash, task: { commandsApproved: false } },
    ])
    expect((await home.muster('why', id)).stdout).toContain(`→ muster approve ${id} --commands`)

    const edits = { task: id, set: { body: 'rm -rf dist' } }
    unwrap(await store.decide({ verb: 'edit', board: 'default', actor: orchestrator, input: edits }))
    const late = await home.muster('approve', id, '--commands', '--hash', hash)
    expect([late.code, late.stderr]).toEqual([4, expect.stringContaining('have changed since they were shown')])
    expect((await home.show(id)).commandsApproved).toBe(false)
    const back = { task: id, set: { body: written.body } }
    unwrap(await store.decide({ verb: 'edit', board: 'default', actor: orchestrator, input: back }))

    const [row] = await rowsOf(home, 'approve', id, '--commands', '--hash', hash)
    expect(row).toMatchObject({ ok: true, commands, hash, task: { commandsApproved: true } })
    expect((await home.show(id)).events.at(-1)).toMatchObject({
      kind: 'commands_approved',
      actor: expect.not.stringContaining('agent:'),
      data: { hash },
    })
    const { stdout } = await home.muster('approve', id, '--commands')
    expect(stdout).toBe(
      [
        `Approved the commands of ${id}:  (sha256 ${hash})`,
        '  agent  shell  (shell, permissions edit)',
        '  body, run as a script',
        '    rm -rf build',
        '  check',
        '    npm test',
        '',
      ].join('\n'),
    )
  })

  test('`reclaim` and `block` end a live run before they change the card', async () => {
    const home = makeCommandHome(engine)
    const [one, two] = [await liveCard(home, 'A'), await liveCard(home, 'B')]
    expect(await tasksOf(home, 'reclaim', one, 'the wrong way')).toMatchObject([{ id: one, status: 'ready' }])
    expect(isAgentGone(home, one)).toBe(true)
    expect((await home.show(one)).runs).toMatchObject([{ outcome: 'reclaimed', summary: 'the wrong way' }])
    expect(await tasksOf(home, 'block', two, 'ask first')).toMatchObject([{ status: 'blocked' }])
    expect((await home.show(two)).runs).toMatchObject([{ outcome: 'blocked' }])
  })
})
