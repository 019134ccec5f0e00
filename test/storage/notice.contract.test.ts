import { expect, it } from 'vitest'
import { card, clockwork } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('a one-time notice', (open) => {
  it('a notice is shown only once, even if several processes ask for it at the same time', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    const desks = [desk, desk.through(await test.again()), desk.through(await test.again())]
    for (const name of [0, 1, 2, 3, 4, 5]) await desk.card(name)
    const scratchCard = (at: number) => ({ task: card(at), install: 'laptop' })
    const results = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((at) => (desks[at % 3] ?? desk).ok('explain_scratch', scratchCard(at), clockwork)),
    )
    expect(results.filter(({ notice }) => notice !== null)).toHaveLength(1)
    const events = ((await desk.store.exportAll()).event ?? []).filter(({ kind }) => kind === 'scratch_explained')
    expect(events).toHaveLength(1)
    expect((await desk.ok('explain_scratch', scratchCard(0), clockwork)).notice).toBeNull()
  })
})
