import { expect, it } from 'vitest'
import { JUDGE_ACTOR } from '../../src/core/actor.ts'
import type { VerbInput } from '../../src/core/transitions/index.ts'
import { complete } from '../core/test-board.ts'
import { followTournaments } from '../../src/dispatcher/follow-tournaments.ts'
import { card, clockwork, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const root = card('root')
const [a, b, c] = [card('a'), card('b'), card('c')]
const entries = [a, b, c]

const tournamentInput = (more: object = {}): VerbInput<'create'> => ({
  tournament: { picker: 'judge' },
  cards: [
    { id: root, title: 'Write the parser', parents: entries, idempotencyKey: 'key', ...more },
    ...entries.map((id) => ({ id, title: `Entry ${id}`, assignee: 'coder' })),
  ],
})

async function finish(desk: Desk, id: (typeof entries)[number]): Promise<void> {
  const claimed = await desk.claim(id)
  await desk.ok(
    'verdict',
    { task: id, fence: claimed.fence, verdict: complete({ result: `work of ${id}` }) },
    clockwork,
  )
  const ending = { how: 'exited', exitCode: 0 } as const
  await desk.ok('settle', { task: id, runId: claimed.runId, by: { fence: claimed.fence }, ending }, clockwork)
}

let picks = 0
const pickInput = (entry: typeof a, more: Partial<VerbInput<'pick'>> = {}): VerbInput<'pick'> => {
  picks += 1
  return { task: root, entry, entries, runId: runOf(`pick${picks}`), ...more }
}

describeStores('tournaments', (open) => {
  it('a tournament is created in one transaction, and once for each key', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create', tournamentInput())
    const before = await desk.rows()
    const cards = tournamentInput().cards.map((one, at) => ({ ...one, id: card(`n${at}`), parents: [] }))
    const again = {
      ...tournamentInput(),
      cards: [
        { ...cards[0], id: card('n0'), title: 'Write the parser', parents: [card('n1'), card('n2'), card('n3')] },
        ...cards.slice(1),
      ],
    }
    expect(await desk.ok('create', again)).toMatchObject({ ids: [root, ...entries], created: false, differs: [] })
    expect(await desk.rows()).toEqual(before)
    expect(await desk.task(root)).toMatchObject({ status: 'todo', openParents: 3, parents: entries })
    expect(await desk.refusedQuietly('create', { ...tournamentInput({ idempotencyKey: null, id: card('r2') }) })).toBe(
      'id_taken',
    )
    expect(await desk.store.openTournaments(10)).toMatchObject([{ id: root }])
  })

  it('a tournament stays in todo, and a pick finishes it with its losers in one transaction', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create', tournamentInput())
    await desk.card('after', { parents: [root] })
    await finish(desk, a)
    await finish(desk, b)
    const { runId } = await desk.claim(c)
    const picked = await desk.ok('pick', pickInput(a, { reason: 'simpler' }))
    expect(picked).toMatchObject({ status: 'done', stopping: [c] })
    expect(await desk.statuses(root, a, b, c, card('after'))).toEqual(['done', 'done', 'archived', 'running', 'ready'])
    expect(await desk.task(root)).toMatchObject({
      result: `work of ${a}`,
      workspace: { owner: a },
      tournament: { pick: { winner: a, by: 'ada', reason: 'simpler' } },
    })
    expect((await desk.store.run(runId))?.intent).toMatchObject({ verb: 'archive' })
    expect(await desk.store.openTournaments(10)).toEqual([])
    expect(await desk.store.doctor()).toEqual([])
  })

  it('the last finished entry does not start the tournament', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create', tournamentInput())
    for (const id of entries) await finish(desk, id)
    expect(await desk.task(root)).toMatchObject({ status: 'todo', openParents: 0 })
    expect(await desk.store.doctor()).toEqual([])
    expect(await followTournaments(desk)).toEqual([])
  })

  it('a person and the judge pick at the same time, and one of them wins', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create', tournamentInput())
    for (const id of entries) await finish(desk, id)
    const { attempt } = await desk.ok('begin_pick', { task: root, entries, order: [c, a, b] }, JUDGE_ACTOR)
    const outcomes = await Promise.all([
      desk.do('pick', pickInput(b)),
      desk.do('pick', pickInput(a, { attempt }), JUDGE_ACTOR),
    ])
    const winners = outcomes.flatMap((outcome, at) => (outcome.ok ? [at === 0 ? b : a] : []))
    expect(winners).toHaveLength(1)
    const picked = (await desk.task(root)).tournament?.pick
    expect(picked?.winner).toBe(winners[0])
    expect(picked?.order).toEqual(winners[0] === a ? [c, a, b] : null)
    expect(await desk.statuses(...entries)).toEqual(entries.map((id) => (id === winners[0] ? 'done' : 'archived')))
    expect(outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error.code]))).toEqual(['wrong_status'])
  })

  it('the inbox lists a tournament from the end of its entries until the pick', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create', { ...tournamentInput(), tournament: { picker: 'person' } })
    await finish(desk, a)
    for (const id of [b, c])
      await desk.ok('block', { task: id, runId: runOf(`x${id.slice(-1)}`), reason: 'no access', kind: 'capability' })
    expect(await followTournaments(desk)).toEqual([root])
    expect(await followTournaments(desk)).toEqual([])
    const boards = [{ slug: 'main', reviewer: null }]
    const inbox = async () => (await desk.store.inbox({ boards, lanes: [], most: 9, kinds: ['pick'] })).cards
    expect(await inbox()).toMatchObject([{ kind: 'pick', task: { id: root } }])
    const asked = { board: 'main', waitsFor: 'person' } as const
    expect((await desk.store.tasks('main', { waitsFor: asked.waitsFor })).map(({ id }) => id).toSorted()).toEqual(
      [b, c, root].toSorted(),
    )
    await desk.ok('pick', pickInput(a))
    expect(await inbox()).toEqual([])
  })

  it('the files of the winner stay while a child of the tournament is unfinished', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create', tournamentInput())
    await desk.card('after', { parents: [root] })
    for (const id of entries) await finish(desk, id)
    await desk.ok('pick', pickInput(a))
    const later = (await desk.store.now()) + 1_000_000
    const sweepable = () => desk.store.sweepable('main', [a, b, root], later)
    expect(await sweepable()).toEqual([b])
    expect(await desk.refused('sweep', { task: a, stage: 'begin' }, clockwork)).toBe('wrong_status')
    await desk.ok('archive', { task: card('after') })
    expect(await sweepable()).toContain(a)
  })
})
