import { expect, it } from 'vitest'
import { card, orchestrator, runOf, worker, sampleWorkspace } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'
import { shownCommands } from '../helpers/shown-commands.ts'

describeStores('creating cards', (open) => {
  it('a card without parents is ready and keeps all given fields', async () => {
    const desk = await Desk.open(await open())
    const asked = {
      title: 'Write the parser',
      body: 'With ünïcode, "quotes",\nlines and a \\ backslash.',
      assignee: 'coder',
      priority: 7,
      tenant: 'acme',
      session: 's-1',
      workflow: 'release',
      step: 'build',
      idempotencyKey: 'key-1',
      workspace: { kind: 'worktree', path: null, repo: '/srv/repo' },
      branch: 'feature/parser',
      skills: ['typescript', 'sql'],
      model: 'big',
      provider: 'acme',
      effort: 'high',
      reviewer: 'critic',
      maxRuntimeMs: 60_000,
      maxRetries: 3,
      goal: { maxTurns: 4, judge: 'checks' },
      checks: ['npm test'],
    } as const
    const outcome = await desk.do('create', {
      cards: [{ id: card('a'), ...asked, skills: [...asked.skills], checks: [...asked.checks] }],
    })
    expect(outcome).toMatchObject({ ok: true, result: { ids: [card('a')], created: true, differs: [] } })
    expect(await desk.task(card('a'))).toMatchObject({
      ...asked,
      workspace: sampleWorkspace(asked.workspace),
      board: 'main',
      status: 'ready',
      createdBy: 'ada',
      createdByRun: null,
      openParents: 0,
      parents: [],
      children: [],
      held: false,
      commandsApproved: true,
      createdAt: outcome.ok ? outcome.now : null,
      updatedAt: outcome.ok ? outcome.now : null,
    })
    expect(await desk.lastEvent(card('a'))).toEqual({
      kind: 'created',
      runId: null,
      data: { status: 'ready', assignee: 'coder', parents: [], tenant: 'acme' },
    })
  })

  it('an empty list of skills is stored differently from no list', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { skills: [] })
    await desk.card('b')
    expect([(await desk.task(card('a'))).skills, (await desk.task(card('b'))).skills]).toEqual([[], null])
  })

  it('a new card can start in triage, blocked, scheduled or held', async () => {
    const desk = await Desk.open(await open())
    const at = (await desk.store.now()) + 60_000
    await desk.card('a', { triage: true })
    await desk.card('b', { blocked: true })
    await desk.card('c', { scheduledAt: at })
    await desk.card('d', { held: true })
    expect(await desk.statuses(card('a'), card('b'), card('c'), card('d'))).toEqual([
      'triage',
      'blocked',
      'scheduled',
      'ready',
    ])
    expect(await desk.task(card('b'))).toMatchObject({ blockKind: 'needs_input', blockedBy: 'ada' })
    expect(await desk.kinds(card('b'))).toEqual(['created', 'blocked'])
    expect((await desk.task(card('c'))).dueAt).toBe(at)
    expect((await desk.task(card('d'))).held).toBe(true)
  })

  it('a batch creates a graph in any order and inherits the tenant', async () => {
    const desk = await Desk.open(await open())
    await desk.card('root', { tenant: 'acme' })
    await desk.ok('create', {
      cards: [
        { id: card('c'), title: 'Last', parents: [card('b'), card('a')] },
        { id: card('b'), title: 'Second', parents: [card('a')] },
        { id: card('a'), title: 'First', parents: [card('root'), card('root')] },
      ],
    })
    expect(await desk.statuses(card('a'), card('b'), card('c'))).toEqual(['todo', 'todo', 'todo'])
    expect(await desk.task(card('c'))).toMatchObject({
      openParents: 2,
      tenant: 'acme',
      parents: [card('a'), card('b')],
    })
    expect(await desk.task(card('root'))).toMatchObject({ children: [card('a')] })
    expect((await desk.task(card('a'))).openParents).toBe(1)
  })

  it('a card created below a finished parent is ready', async () => {
    const desk = await Desk.open(await open())
    await desk.complete(await desk.card('a'))
    await desk.card('b', { parents: [card('a')] })
    expect(await desk.task(card('b'))).toMatchObject({ status: 'ready', openParents: 0, parents: [card('a')] })
  })

  it('a batch is refused if one of its cards is not valid', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    const good = { id: card('x'), title: 'Good' }
    const refused = async (bad: { id: typeof good.id; title: string; parents: (typeof good.id)[] }) =>
      desk.refusedQuietly('create', { cards: [good, bad] })
    expect(await refused({ id: card('y'), title: 'Unknown parent', parents: [card('nobody')] })).toBe('task_not_found')
    expect(await refused({ id: card('a'), title: 'Taken', parents: [] })).toBe('id_taken')
    expect(await refused({ id: card('y'), title: 'Itself', parents: [card('y')] })).toBe('invalid_input')
    await desk.ok('delete', { task: card('a') })
    expect(await refused({ id: card('y'), title: 'In the trash', parents: [card('a')] })).toBe('task_not_found')
  })

  it('a batch with a cycle is refused', async () => {
    const desk = await Desk.open(await open())
    const cards = [
      { id: card('a'), title: 'A', parents: [card('c')] },
      { id: card('b'), title: 'B', parents: [card('a')] },
      { id: card('c'), title: 'C', parents: [card('b')] },
    ]
    expect(await desk.refusedQuietly('create', { cards })).toBe('cycle')
  })

  it('a repeated idempotency key returns the first card and the differences', async () => {
    const desk = await Desk.open(await open())
    const first = { id: card('a'), title: 'Nightly', assignee: 'coder', idempotencyKey: 'night' }
    await desk.ok('create', { cards: [first] })
    const before = await desk.store.exportAll()
    const again = await desk.ok('create', { cards: [{ ...first, id: card('b'), title: 'Nightly build' }] })
    expect(again).toEqual({ ids: [card('a')], created: false, differs: ['title'] })
    expect(await desk.store.exportAll()).toEqual(before)
  })

  it('two boards can use the same idempotency key', async () => {
    const desk = await Desk.open(await open())
    const other = new Desk(desk.test, 'other')
    await other.ok('create_board', { slug: 'other' })
    await desk.card('a', { idempotencyKey: 'k' })
    await other.card('b', { idempotencyKey: 'k' })
    expect((await other.task(card('b'))).board).toBe('other')
  })

  it('the same batch sent again changes nothing', async () => {
    const desk = await Desk.open(await open())
    const cards = [
      { id: card('a'), title: 'A' },
      { id: card('b'), title: 'B', parents: [card('a')] },
    ]
    await desk.ok('create', { cards })
    const before = await desk.store.exportAll()
    expect(await desk.ok('create', { cards })).toEqual({ ids: [card('a'), card('b')], created: false, differs: [] })
    expect(await desk.store.exportAll()).toEqual(before)
    expect(await desk.refusedQuietly('create', { cards: [{ id: card('a'), title: 'Another' }] })).toBe('id_taken')
  })

  it('commands written by a worker wait for the approval of a person', async () => {
    const desk = await Desk.open(await open())
    await desk.claim(await desk.card('a'), { runId: runOf('a') })
    const mine = worker(card('a'), runOf('a'))
    await desk.ok('create', { cards: [{ id: card('x'), title: 'X', assignee: 'coder', checks: ['make'] }] }, mine)
    await desk.ok('create', { cards: [{ id: card('y'), title: 'Y', assignee: 'coder' }] }, orchestrator)
    expect(await desk.task(card('x'))).toMatchObject({
      commandsApproved: false,
      createdBy: 'agent:coder',
      createdByRun: runOf('a'),
    })
    expect((await desk.task(card('y'))).commandsApproved).toBe(false)
    expect(await desk.refused('claim', desk.claimInput(card('x')))).toBe('gate_closed')
    const { body, checks, assignee } = await desk.task(card('x'))
    const shown = { task: card('x'), shown: shownCommands({ body, checks, assignee }) }
    expect(await desk.refused('approve_commands', { ...shown, hash: 'h' }, orchestrator)).toBe('not_allowed')
    await desk.ok('approve_commands', { ...shown, hash: 'h' })
    expect(await desk.ok('claim', desk.claimInput(card('x')))).toMatchObject({ taskId: card('x') })
    expect(await desk.kinds(card('x'))).toContain('commands_approved')
  })

  it('a missing or archived board accepts no cards', async () => {
    const desk = await Desk.open(await open())
    const nowhere = new Desk(desk.test, 'nowhere')
    const cards = [{ id: card('a'), title: 'A' }]
    expect(await nowhere.refusedQuietly('create', { cards })).toBe('board_not_found')
    await desk.ok('set_board', { archived: true })
    expect(await desk.refusedQuietly('create', { cards })).toBe('board_archived')
  })
})

describeStores('cards in triage', (open) => {
  it('a specified card leaves triage with its new fields', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a', { triage: true, assignee: null })
    await desk.ok('specify', { task: card('a'), title: 'Clear now', assignee: 'coder' })
    expect(await desk.task(card('a'))).toMatchObject({ status: 'ready', title: 'Clear now', assignee: 'coder' })
    expect(await desk.lastEvent(card('a'))).toMatchObject({
      kind: 'specified',
      data: { fields: ['title', 'assignee'] },
    })
    expect(await desk.refusedQuietly('specify', { task: card('a') })).toBe('wrong_status')
  })

  it('a decomposed card waits for its new cards, which inherit its parents', async () => {
    const desk = await Desk.open(await open())
    await desk.card('before')
    await desk.card('root', { triage: true, parents: [card('before')], tenant: 'acme' })
    await desk.ok('decompose', {
      task: card('root'),
      rootParents: [card('before')],
      cards: [
        { id: card('x'), title: 'X' },
        { id: card('y'), title: 'Y', parents: [card('x')] },
      ],
    })
    expect(await desk.task(card('root'))).toMatchObject({
      status: 'todo',
      openParents: 3,
      parents: [card('before'), card('x'), card('y')].sort(),
    })
    expect(await desk.task(card('x'))).toMatchObject({ status: 'todo', parents: [card('before')], tenant: 'acme' })
    expect(await desk.task(card('y'))).toMatchObject({ openParents: 1, parents: [card('x')] })
    for (const id of ['before', 'x', 'y']) await desk.complete(card(id))
    expect(await desk.status(card('root'))).toBe('ready')
  })

  it('a decomposition with outdated parents is refused with an error that allows a retry', async () => {
    const desk = await Desk.open(await open())
    await desk.card('before')
    await desk.card('root', { triage: true, parents: [card('before')] })
    const cards = [{ id: card('x'), title: 'X' }]
    expect(await desk.refusedQuietly('decompose', { task: card('root'), cards })).toBe('store_busy')
  })
})
