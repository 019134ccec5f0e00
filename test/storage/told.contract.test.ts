import { expect, it } from 'vitest'
import { card, clockwork } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('what is said once', (open) => {
  it('is said by one of many that would say it at the same moment, and never again', async () => {
    const test = await open()
    const desk = await Desk.open(test)
    const desks = [desk, desk.through(await test.again()), desk.through(await test.again())]
    for (const name of [0, 1, 2, 3, 4, 5]) await desk.card(name)
    const say = (at: number) => ({ task: card(at), install: 'laptop' })
    const told = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((at) => (desks[at % 3] ?? desk).ok('explain_scratch', say(at), clockwork)),
    )
    expect(told.filter((one) => one.told !== null)).toHaveLength(1)
    const events = ((await desk.store.exportAll()).event ?? []).filter(({ kind }) => kind === 'scratch_explained')
    expect(events).toHaveLength(1)
    expect((await desk.ok('explain_scratch', say(0), clockwork)).told).toBeNull()
  })
})
