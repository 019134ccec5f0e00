// Tests how many cards start at once. The scenarios are in docs/contributing/scenarios.md.
import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import type { Store } from '../../src/storage/store.ts'
import { newTaskId } from '../../src/util/mint.ts'
import { person } from '../helpers/sample.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { WAITS, openHome, shellCard, untilBegun } from '../helpers/run-cards.ts'

const ids = (cards: readonly { readonly id: TaskId }[]): TaskId[] => cards.map(({ id }) => id)

async function createChildren(store: Store, parent: TaskId, count: number): Promise<readonly TaskId[]> {
  const child = { title: 'one of many', assignee: 'shell', body: WAITS, parents: [parent] }
  const cards = Array.from({ length: count }, () => ({ id: newTaskId(), ...child }))
  unwrap(await store.decide({ verb: 'create', board: 'default', actor: person, input: { cards } }))
  return ids(cards)
}

test.each(SURFACE_ENGINES)(
  '500 children are promoted at once on %s and start within caps (scenario 83)',
  async (engine) => {
    const home = await openHome(engine)
    const store = await home.store()
    const parent = await shellCard(home, 'true')
    const children = await createChildren(store, parent.id, 500)
    const { cursor } = await store.feed(null)
    await home.dispatch('--wait')
    const promoted = (await store.feed(cursor, 2_000)).events.filter(({ kind }) => kind === 'promoted')
    expect(new Set(promoted.map(({ taskId }) => taskId))).toEqual(new Set(children))
    expect(promoted).toHaveLength(children.length)
    expect(new Set(promoted.map(({ createdAt }) => createdAt)).size).toBe(1)
    const { started, capped } = await home.dispatch()
    expect(started).toHaveLength(4)
    expect(capped.length).toBeGreaterThan(0)
    for (const { id } of started) await untilBegun(home, id)
  },
)
