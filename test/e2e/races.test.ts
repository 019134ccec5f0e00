/** What many processes do to one store at once. The same proofs run at full size by `npm run prove`. */
import { describe, expect, inject, test } from 'vitest'
import { withPlace } from '../helpers/places.ts'
import { proveCap, proveClaims } from '../helpers/proofs/claims.ts'
import { proveFeed } from '../helpers/proofs/feed.ts'
import { proveFamilies, proveLinks } from '../helpers/proofs/graph.ts'
import { proveKeys } from '../helpers/proofs/keys.ts'

describe.each(['sqlite', 'postgres'] as const)('processes that race (%s)', (engine) => {
  const postgresUrl = inject('postgresUrl')

  test('twenty create with one idempotency key: one card, nineteen are told that it was there', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveKeys(location, store, { processes: 20, rounds: 3 }),
    )
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ cards: 3, 'told that it was there': 57 })
  })

  test('eight machines claim one card: one wins, seven are told that they lost', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveClaims(location, store, { processes: 8, rounds: 10 }),
    )
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ won: 10, claim_lost: 70 })
  })

  test.each(['machine', 'agent'] as const)('eight claims at once never pass the cap of a %s', async (of) => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveCap(location, store, { processes: 8, rounds: 10, cap: 3, of }),
    )
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ won: 30, capped: 50 })
  })

  test('a parent finished while it gets children leaves none of them waiting', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveFamilies(location, store, { rounds: 40 }),
    )
    expect(proof.faults).toEqual([])
  })

  test('links that would close a ring never all stand', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) => proveLinks(location, store, { rounds: 20 }))
    expect(proof.faults).toEqual([])
  })

  test('readers of the feed miss nothing and see nothing twice while hundreds write', async () => {
    const size = { writers: 6, callers: 40, readers: 3, cards: 300 }
    const proof = await withPlace(engine, postgresUrl, (location, store) => proveFeed(location, store, size))
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ callers: 240, events: 600 })
  })
})
