import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NODE_WIDTH, placeCards } from '../../web/src/cards/graph/layout.ts'
import { linkFault, neighbourOf } from '../../web/src/cards/graph/links.ts'
import { holdsBack } from '../../web/src/graph/graph-cards.ts'

const chain = [
  { parent: 'a', child: 'b' },
  { parent: 'b', child: 'c' },
]

test('every card is to the right of its parents, and no two cards overlap', () => {
  const links = fc
    .array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 20 })
    .map((pairs) =>
      pairs.flatMap(([x, y]) => (x === y ? [] : [{ parent: `c${Math.min(x, y)}`, child: `c${Math.max(x, y)}` }])),
    )
  fc.assert(
    fc.property(links, (given) => {
      const ids = [...new Set(given.flatMap(({ parent, child }) => [parent, child]))]
      const places = placeCards(ids, given)
      for (const { parent, child } of given)
        expect(places.get(child)?.x).toBeGreaterThanOrEqual((places.get(parent)?.x ?? 0) + NODE_WIDTH)
      const down = placeCards(ids, given, 'down')
      for (const { parent, child } of given) expect(down.get(child)?.y).toBeGreaterThan(down.get(parent)?.y ?? Infinity)
      const seen = [...places.values()].map(({ x, y }) => `${x} ${y}`)
      expect(new Set(seen).size).toBe(ids.length)
    }),
    { numRuns: 40 },
  )
})

test('self links, repeated links and links that close a cycle are refused', () => {
  expect(linkFault(chain, { parent: 'a', child: 'a' })).toBe('same')
  expect(linkFault(chain, { parent: 'a', child: 'b' })).toBe('exists')
  expect(linkFault(chain, { parent: 'c', child: 'a' })).toBe('cycle')
  expect(linkFault(chain, { parent: 'a', child: 'c' })).toBeNull()
})

test('a finished or waived parent does not block its child', () => {
  const link = { isWaived: false }
  expect(holdsBack(link, { status: 'ready' })).toBe(true)
  expect(holdsBack(link, { status: 'done' })).toBe(false)
  expect(holdsBack({ ...link, isWaived: true }, { status: 'ready' })).toBe(false)
})

test('arrow keys choose the nearest card in their direction', () => {
  const places = new Map([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 300, y: 10 }],
    ['c', { x: 250, y: 400 }],
    ['d', { x: 0, y: 90 }],
  ])
  expect(neighbourOf(places, 'a', 'ArrowRight')).toBe('b')
  expect(neighbourOf(places, 'b', 'ArrowLeft')).toBe('a')
  expect(neighbourOf(places, 'a', 'ArrowDown')).toBe('d')
  expect(neighbourOf(places, 'a', 'ArrowUp')).toBeNull()
  expect(neighbourOf(places, 'a', 'Enter')).toBeNull()
})
