import { expect, it } from 'vitest'
import { card } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('the size of a lane', (open) => {
  it('the size of a lane counts cards that can start, up to the limit', async () => {
    const desk = await Desk.open(await open())
    for (const id of ['a', 'b', 'c']) await desk.card(id, { assignee: 'coder' })
    await desk.card('d', { assignee: 'coder', parents: [card('a')] })
    await desk.card('e', { assignee: 'tester' })
    await desk.card('f', { assignee: null })
    const size = (agent: string | null, most = 100) =>
      desk.store.laneSize({ board: 'main', agent, phase: 'work' }, most)
    expect([await size('coder'), await size('coder', 2), await size('coder', 0)]).toEqual([3, 2, 0])
    expect([await size('tester'), await size(null), await size('ghost')]).toEqual([1, 1, 0])
    expect(await desk.store.laneSize({ board: 'main', agent: 'coder', phase: 'review' }, 100)).toBe(0)
  })
})
