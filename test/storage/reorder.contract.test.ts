import { expect, it } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { card } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const letters = (ids: readonly TaskId[]): string => ids.map((id) => id.slice(-1)).join('')

const column = async (desk: Desk): Promise<string> => {
  const asked = { boards: ['main'], statuses: ['ready'] as const, most: 50, recentMs: 60_000 }
  const { columns } = await desk.store.columns(asked)
  return letters((columns[0]?.cards ?? []).map(({ id }) => id))
}

const lane = async (desk: Desk): Promise<string> =>
  letters((await desk.store.laneHead({ board: 'main', agent: 'coder', phase: 'work' }, 50)).map(({ id }) => id))

describeStores('the place of a card in its column', (open) => {
  it('a moved card has its place in the column and in the queue of its agent', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abcde') await desk.card(letter)
    await desk.ok('reorder', { task: card('e'), anchor: card('b'), side: 'above' })
    expect([await column(desk), await lane(desk)]).toEqual(['aebcd', 'aebcd'])
    await desk.ok('reorder', { task: card('a'), anchor: null, side: 'below' })
    await desk.ok('reorder', { task: card('d'), anchor: null, side: 'above' })
    expect([await column(desk), await lane(desk)]).toEqual(['debca', 'debca'])
    expect((await desk.events(card('e'))).at(-1)).toMatchObject({
      kind: 'reordered',
      data: { above: card('a'), below: card('b') },
    })
  })

  it('a card moves between cards that were created at the same time', async () => {
    const desk = await Desk.open(await open())
    const cards = Array.from('abcdefgh', (letter) => ({ id: card(letter), title: letter, assignee: 'coder' }))
    await desk.ok('create', { cards })
    for (const [moved, anchor] of ['hd', 'ad', 'ce', 'gb'] as const)
      await desk.ok('reorder', { task: card(moved ?? ''), anchor: card(anchor ?? ''), side: 'above' })
    expect(await column(desk)).toBe('gbhadcef')
  })

  it('a moved card keeps its place when the board’s settings change, and the doctor finds no fault', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'abc') await desk.card(letter)
    await desk.ok('reorder', { task: card('c'), anchor: card('a'), side: 'above' })
    await desk.ok('set_board', { settings: { starvationMs: 60_000 } })
    expect(await column(desk)).toBe('cab')
    expect(await desk.store.doctor()).toEqual([])
  })
})
