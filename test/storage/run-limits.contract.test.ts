import { expect, it } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { card, worker } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

/** Makes the input of a `create` with this many cards, whose names begin with the same prefix. */
const batch = (name: string, count: number) => ({
  cards: Array.from({ length: count }, (_, at) => ({ id: card(`${name}${at}`), title: 'A', assignee: 'coder' })),
})

describeStores('the limits on cards created by runs', (open) => {
  it('a run cannot create more cards than its board allows', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('set_board', { settings: { maxCardsPerRun: 3 } })
    const { task, runId } = await desk.run(await desk.card('a'))
    const mine = worker(task, runId)
    expect(await desk.do('create', batch('b', 4), mine)).toMatchObject({
      ok: false,
      error: {
        code: 'not_allowed',
        message: `A run may create at most 3 cards, and run ${runId} has created 0: finish, or ask a person to create the rest.`,
      },
    })
    await desk.ok('create', batch('c', 2), mine)
    const both = await Promise.all(['d', 'e'].map((name) => desk.do('create', batch(name, 1), mine)))
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await desk.refused('create', batch('f', 1), mine)).toBe('not_allowed')
    await desk.ok('create', batch('g', 4))
  })

  it('agents cannot create cards deeper than the limit of the board', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    await desk.ok('set_board', { settings: { maxDepth: 2 } })
    const createBelow = async (parent: TaskId, name: string) => {
      // The cards that agents created are approved, so that they can start.
      await test.raw('update task set commands_approved = 1')
      const { task, runId } = await desk.run(parent)
      return desk.do('create', batch(name, 1), worker(task, runId))
    }
    const top = await desk.card('a')
    expect(await createBelow(top, 'b')).toMatchObject({ ok: true })
    expect(await createBelow(card('b0'), 'c')).toMatchObject({ ok: true })
    expect(await createBelow(card('c0'), 'd')).toMatchObject({
      ok: false,
      error: { code: 'not_allowed', details: { depth: 3, maxDepth: 2 } },
    })
  })

  it('by default, a board allows 50 cards per run and 8 levels of cards', async () => {
    const desk = await Desk.open(await open())
    const { task, runId } = await desk.run(await desk.card('a'))
    const mine = worker(task, runId)
    await desk.ok('create', batch('b', 50), mine)
    expect(await desk.refused('create', batch('c', 1), mine)).toBe('not_allowed')
  })
})
