import { expect, it } from 'vitest'
import { card } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

/** The letters of the cards of a graph, and its links as pairs of letters. */
async function graphOf(desk: Desk, letter: string | null, most = 100) {
  const task = letter === null ? null : card(letter)
  const { cards, links, isCut } = await desk.store.linkedCards({ board: 'main', task, most })
  const last = (id: string): string => id.slice(-1)
  return {
    cards: cards.map(({ id }) => last(id)).join(''),
    links: links.map(({ parent, child, isWaived }) => `${last(parent)}${last(child)}${isWaived ? '!' : ''}`).join(' '),
    isCut,
  }
}

describeStores('the graph of linked cards', (open) => {
  it('the graph of a card has all cards that links lead to, in both directions', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'az') await desk.card(letter)
    await desk.card('b', { parents: [card('a')] })
    await desk.card('c', { parents: [card('a')] })
    await desk.card('d', { parents: [card('b'), card('c')] })
    const whole = { cards: 'abcd', links: 'ab ac bd cd', isCut: false }
    for (const letter of 'abcd') expect(await graphOf(desk, letter)).toEqual(whole)
    expect(await graphOf(desk, 'z')).toEqual({ cards: 'z', links: '', isCut: false })
  })

  it('the graph of a board has the linked cards around open cards, and no others', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'aoz') await desk.card(letter)
    await desk.card('b', { parents: [card('a')] })
    await desk.card('p', { parents: [card('o')] })
    for (const letter of 'aop') await desk.complete(card(letter))
    expect(await graphOf(desk, null)).toEqual({ cards: 'ab', links: 'ab', isCut: false })
  })

  it('a waived link is marked, and a deleted card is left out with its links', async () => {
    const desk = await Desk.open(await open())
    for (const letter of 'ad') await desk.card(letter)
    await desk.card('b', { parents: [card('a'), card('d')] })
    await desk.ok('promote', { task: card('b'), force: true })
    await desk.ok('delete', { task: card('d') })
    expect(await graphOf(desk, 'b')).toEqual({ cards: 'ab', links: 'ab!', isCut: false })
  })

  it('a graph with too many cards is cut, and reports it', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    for (const letter of 'bcdefgh') await desk.card(letter, { parents: [card('a')] })
    const { cards, isCut } = await graphOf(desk, 'a', 4)
    expect([cards.length, cards.includes('a'), isCut]).toEqual([4, true, true])
  })
})
