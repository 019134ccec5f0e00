import { expect, it } from 'vitest'
import { card } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const ALL = { board: null, task: null, kinds: null, actor: null, before: null, most: 50 } as const

describeStores('the activity', (open, engine) => {
  it('a page with a rare filter compares a limited number of events and can be continued', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    const numbers =
      engine === 'sqlite'
        ? '(with recursive s (i) as (select 1 union all select i + 1 from s where i < 6000) select i from s) s'
        : '(select i from generate_series(1, 6000) i) s'
    await desk.test.raw(`insert into event (id, board, kind, task_id, actor, created_at, data)
      select 1000 + i, 'main', 'heartbeat', '${card('a')}', 'x', 1, '{"note":"y"}' from ${numbers}`)
    const first = await desk.store.activity({ ...ALL, kinds: ['created'] })
    expect([first.events.length, first.next]).toEqual([0, 2001])
    const second = await desk.store.activity({ ...ALL, kinds: ['created'], before: first.next })
    expect(second).toMatchObject({ events: [{ kind: 'created', title: 'Card a' }], next: null })
  })

  it('a period contains only its own events, and the search stops at the start of the period', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.test.pass(5)
    const from = await desk.store.now()
    await desk.card('b')
    await desk.test.pass(5)
    const until = await desk.store.now()
    await desk.card('c')
    const page = await desk.store.activity({ ...ALL, kinds: ['created'], from, until })
    expect(page).toMatchObject({ events: [{ taskId: card('b') }], next: null })
  })

  it('the events of one card are found among the events of other cards', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'ab') await desk.card(letter)
    const page = await desk.store.activity({ ...ALL, task: { board: 'main', id: card('a') } })
    expect(page).toMatchObject({ events: [{ taskId: card('a'), kind: 'created' }], next: null })
  })
})
