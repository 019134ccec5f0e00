import { expect, it } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { BLACKBOARD_LIMITS } from '../../src/core/swarm.ts'
import type { VerbInput } from '../../src/core/transitions/index.ts'
import { card, commentOf, orchestrator, worker } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const ROOT = card('root')
const [ONE, TWO, VERIFIER, SYNTHESIZER] = [card('w1'), card('w2'), card('ver'), card('syn')]
const MEMBERS = [ROOT, ONE, TWO, VERIFIER, SYNTHESIZER]

const member = (id: TaskId, title: string) => ({ id, title, assignee: 'coder' })

const swarm = (over: Partial<VerbInput<'create_swarm'>['root']> = {}): VerbInput<'create_swarm'> => ({
  root: { id: ROOT, title: 'Swarm: compare', body: 'Compare three parsers.', ...over },
  workers: [member(ONE, 'Read one'), member(TWO, 'Read two')],
  verifier: member(VERIFIER, 'Verify'),
  synthesizer: member(SYNTHESIZER, 'Synthesize'),
})

/** The workers as a supervisor passes them to a settlement. */
let comments = 0
const workers = () => [ONE, TWO].map((task) => ({ task, comment: commentOf(`k${(comments += 1)}`) }))

const reject = async (desk: Desk, named?: readonly TaskId[]): Promise<void> => {
  const run = await desk.run(VERIFIER)
  const verdict = { kind: 'request_changes' as const, reason: 'The numbers are missing.' }
  unwrap(await desk.verdict(run, named === undefined ? verdict : { ...verdict, workers: [...named] }))
  await desk.settle(run, { workers: workers() })
}

const finishWorkers = async (desk: Desk): Promise<void> => {
  for (const id of [ONE, TWO]) if ((await desk.status(id)) === 'ready') await desk.finish(id)
}

describeStores('swarms', (open) => {
  it('a swarm is created in one transaction, with its root done', async () => {
    const desk = await Desk.open(await open())
    expect(await desk.ok('create_swarm', swarm())).toEqual({ root: ROOT, created: true, differs: [] })
    expect(await desk.statuses(...MEMBERS)).toEqual(['done', 'ready', 'ready', 'todo', 'todo'])
    expect(await desk.store.swarmMembers(ROOT)).toMatchObject([
      { id: ROOT, role: 'root' },
      { id: ONE, role: 'worker' },
      { id: TWO, role: 'worker' },
      { id: VERIFIER, role: 'verifier' },
      { id: SYNTHESIZER, role: 'synthesizer' },
    ])
    expect(await desk.task(VERIFIER)).toMatchObject({ parents: [ONE, TWO], openParents: 2 })
    expect(await desk.task(SYNTHESIZER)).toMatchObject({ parents: [VERIFIER], openParents: 1 })
    expect(await desk.lastEvent(ROOT)).toMatchObject({ kind: 'swarm_created', data: { workers: [ONE, TWO] } })
  })

  it('a repeated key or command returns the existing swarm', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_swarm', swarm({ idempotencyKey: 'once' }))
    const rows = await desk.rows()
    const again = {
      ...swarm({ idempotencyKey: 'once', id: card('other') }),
      workers: [member(card('x1'), 'Read one')],
      verifier: member(card('x2'), 'Verify'),
      synthesizer: member(card('x3'), 'Synthesize'),
    }
    expect(await desk.ok('create_swarm', again)).toEqual({ root: ROOT, created: false, differs: [] })
    expect(await desk.ok('create_swarm', swarm())).toEqual({ root: ROOT, created: false, differs: [] })
    expect(await desk.rows()).toEqual(rows)
    await desk.card('plain', { idempotencyKey: 'taken' })
    const other = swarm({ idempotencyKey: 'taken', id: card('third') })
    expect(await desk.refusedQuietly('create_swarm', other)).toBe('id_taken')
  })

  it('an error during the creation leaves no card of the swarm', async () => {
    const desk = await Desk.open(await open())
    // The store writes the synthesizer after the other cards, and refuses its row.
    await desk.test.raw(
      desk.test.engine === 'sqlite'
        ? `create trigger fault before insert on task when new.title = 'Synthesize' begin select raise(abort, 'fault'); end`
        : `alter table task add constraint fault check (title <> 'Synthesize')`,
    )
    const before = await desk.rows()
    await expect(desk.do('create_swarm', swarm({ idempotencyKey: 'once' }))).rejects.toThrow(/fault/)
    expect(await desk.rows()).toEqual(before)
    await desk.test.raw(desk.test.engine === 'sqlite' ? 'drop trigger fault' : 'alter table task drop constraint fault')
    expect(await desk.ok('create_swarm', swarm({ idempotencyKey: 'once' }))).toMatchObject({ created: true })
  })

  it('a verifier reopens its workers, waits for them, and then approves', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_swarm', swarm())
    await finishWorkers(desk)
    await reject(desk, [TWO])
    expect(await desk.statuses(ONE, TWO, VERIFIER, SYNTHESIZER)).toEqual(['done', 'ready', 'todo', 'todo'])
    expect(await desk.task(VERIFIER)).toMatchObject({ openParents: 1, rejections: 1, currentRunId: null })
    expect((await desk.store.answers('main', TWO)).answers).toMatchObject([
      { author: 'agent:coder', body: 'The numbers are missing.', answerTo: { verb: 'request_changes' } },
    ])
    expect((await desk.store.answers('main', ONE)).answers).toEqual([])
    expect(await desk.kinds(VERIFIER)).not.toContain('parent_reopened')
    await desk.finish(TWO)
    await desk.finish(VERIFIER)
    expect(await desk.kinds(VERIFIER)).toEqual(expect.arrayContaining(['swarm_rejected', 'swarm_approved']))
    expect(await desk.task(VERIFIER)).toMatchObject({ status: 'done', rejections: 0 })
    await desk.finish(SYNTHESIZER)
    expect(await desk.status(SYNTHESIZER)).toBe('done')
  })

  it('a verifier that reached its limit waits for a person', async () => {
    const desk = await Desk.open(await open(), { failureLimit: 2 })
    await desk.ok('create_swarm', swarm())
    await finishWorkers(desk)
    await reject(desk)
    await finishWorkers(desk)
    await reject(desk)
    expect(await desk.statuses(ONE, TWO, VERIFIER)).toEqual(['done', 'done', 'blocked'])
    expect(await desk.task(VERIFIER)).toMatchObject({ blockKind: 'breaker', blockedBy: 'muster:swarm', rejections: 2 })
    expect(await desk.refused('unblock', { task: VERIFIER }, orchestrator)).toBe('not_allowed')
    await desk.ok('unblock', { task: VERIFIER })
    expect(await desk.task(VERIFIER)).toMatchObject({ status: 'ready', rejections: 0 })
  })

  it('a settlement without the rows of the workers does not apply the request', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_swarm', swarm())
    await finishWorkers(desk)
    const run = await desk.run(VERIFIER)
    unwrap(await desk.verdict(run, { kind: 'request_changes', reason: 'Again.' }))
    expect(await desk.settle(run)).toMatchObject({ outcome: 'interrupted', status: 'ready' })
    expect(await desk.statuses(ONE, TWO)).toEqual(['done', 'done'])
    expect(await desk.kinds(VERIFIER)).toContain('late_result')
  })

  it('only the verifier can request changes, and only from workers of its swarm', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_swarm', swarm())
    const run = await desk.run(ONE)
    const verdict = { kind: 'request_changes' as const, reason: 'No.' }
    expect(await desk.verdict(run, verdict)).toMatchObject({ ok: false, error: { code: 'not_in_review' } })
    unwrap(await desk.verdict(run, { kind: 'complete', summary: 'Done.' }))
    await desk.settle(run)
    await desk.finish(TWO)
    await desk.ok('archive', { task: TWO })
    const verification = await desk.run(VERIFIER)
    for (const named of [SYNTHESIZER, TWO])
      expect(await desk.verdict(verification, { ...verdict, workers: [named] })).toMatchObject({
        ok: false,
        error: { code: 'not_allowed', message: expect.stringContaining(ONE) },
      })
  })

  it('an archived verifier lets the synthesizer become ready, but not start', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_swarm', swarm())
    await finishWorkers(desk)
    await desk.ok('archive', { task: VERIFIER })
    expect(await desk.status(SYNTHESIZER)).toBe('ready')
    const claim = desk.claimInput(SYNTHESIZER)
    const clockwork = { kind: 'board', name: 'dispatcher' } as const
    expect(await desk.refused('claim', claim, clockwork)).toBe('gate_closed')
    expect(await desk.store.verifications([SYNTHESIZER, ONE])).toMatchObject([
      { synthesizer: SYNTHESIZER, verification: { verifier: { id: VERIFIER, status: 'archived' }, waived: false } },
    ])
    expect(await desk.refused('unlink', { parent: VERIFIER, child: SYNTHESIZER })).toBe('not_allowed')
    expect(await desk.refused('promote', { task: SYNTHESIZER })).toBe('parents_open')
    await desk.ok('promote', { task: SYNTHESIZER, force: true })
    expect(await desk.lastEvent(SYNTHESIZER)).toMatchObject({ data: { waived: [VERIFIER], forced: true } })
    await desk.finish(SYNTHESIZER)
    expect(await desk.status(SYNTHESIZER)).toBe('done')
  })

  it('the synthesizer gets the results and the files of the workers', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_swarm', swarm())
    await finishWorkers(desk)
    await desk.finish(VERIFIER)
    const handOffs = await desk.store.handOffs('main', SYNTHESIZER)
    expect(handOffs.map(({ task }) => task.id)).toEqual([VERIFIER, ONE, TWO].toSorted())
    expect(await desk.store.unfinishedChild('main', ONE)).toBe(SYNTHESIZER)
    expect((await desk.store.handOffs('main', ONE)).map(({ task }) => task.id)).toEqual([])
  })

  it('members and people can write the blackboard, and a replaced run cannot', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_swarm', swarm())
    await desk.card('outside')
    const run = await desk.run(ONE)
    const own = worker(ONE, run.runId)
    await desk.ok('write_blackboard', { root: ROOT, key: 'schema', value: 'in schema.sql' }, own)
    await desk.ok('write_blackboard', { root: ROOT, key: 'deadline', value: 'Friday' })
    const stranger = await desk.run(card('outside'))
    const outsider = worker(card('outside'), stranger.runId)
    const entry = { root: ROOT, key: 'schema', value: 'wrong' }
    expect(await desk.refusedQuietly('write_blackboard', entry, outsider)).toBe('not_allowed')
    expect(await desk.refusedQuietly('write_blackboard', entry, orchestrator)).toBe('not_allowed')
    expect(await desk.refusedQuietly('write_blackboard', { ...entry, root: ONE })).toBe('swarm_not_found')
    unwrap(await desk.verdict(run, { kind: 'complete', summary: 'Done.' }))
    await desk.settle(run)
    expect(await desk.refusedQuietly('write_blackboard', entry, own)).toBe('run_superseded')
    expect(await desk.lastEvent(ONE)).toMatchObject({ kind: 'late_result', data: { content: { key: 'schema' } } })
    expect(await desk.store.blackboard(ROOT)).toMatchObject([
      { key: 'deadline', value: 'Friday', author: 'ada', runId: null },
      { key: 'schema', value: 'in schema.sql', author: 'agent:coder', runId: run.runId },
    ])
    expect(await desk.store.exportAll()).toMatchObject({ blackboard: [{ key: 'deadline' }, { key: 'schema' }] })
    await desk.ok('write_blackboard', { root: ROOT, key: 'deadline', value: null })
    expect(await desk.store.blackboard(ROOT)).toHaveLength(1)
  })

  it('a blackboard has a limited number of entries, and each has a limited length', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_swarm', swarm())
    for (let at = 0; at < BLACKBOARD_LIMITS.keys; at += 1)
      await desk.ok('write_blackboard', { root: ROOT, key: `key ${at}`, value: 'x' })
    expect(await desk.refused('write_blackboard', { root: ROOT, key: 'one more', value: 'x' })).toBe('not_allowed')
    await desk.ok('write_blackboard', { root: ROOT, key: 'key 3', value: 'changed' })
    const long = 'x'.repeat(BLACKBOARD_LIMITS.value + 1)
    expect(await desk.refused('write_blackboard', { root: ROOT, key: 'key 3', value: long })).toBe('invalid_input')
  })
})
