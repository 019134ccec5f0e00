/** Tests many processes on one store at once. `npm run prove` runs the same proofs at full size. */
import { describe, expect, inject, test } from 'vitest'
import { withPlace } from '../helpers/places.ts'
import { proveCap, proveClaims } from '../helpers/proofs/claims.ts'
import { proveFeed } from '../helpers/proofs/feed.ts'
import { proveFamilies, proveLinks } from '../helpers/proofs/graph.ts'
import { proveKeys } from '../helpers/proofs/keys.ts'

describe.each(['sqlite', 'postgres'] as const)('processes that race (%s)', (engine) => {
  const postgresUrl = inject('postgresUrl')

  test('twenty creates with one idempotency key make one card', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveKeys(location, store, { processes: 20, rounds: 3 }),
    )
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ cards: 3, 'found an existing card': 57 })
  })

  test('one of eight machines wins the claim of a card', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveClaims(location, store, { processes: 8, rounds: 10 }),
    )
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ won: 10, claim_lost: 70 })
  })

  test.each(['machine', 'agent'] as const)('eight claims at once never exceed the cap of a %s', async (of) => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveCap(location, store, { processes: 8, rounds: 10, cap: 3, of }),
    )
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ won: 30, capped: 50 })
  })

  test('a child that is linked while its parent finishes does not wait forever', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveFamilies(location, store, { rounds: 40 }),
    )
    expect(proof.faults).toEqual([])
  })

  test('concurrent links never close a cycle', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) => proveLinks(location, store, { rounds: 20 }))
    expect(proof.faults).toEqual([])
  })

  test('feed readers see every event exactly once while hundreds write', async () => {
    const size = { writers: 6, callers: 40, readers: 3, cards: 300 }
    const proof = await withPlace(engine, postgresUrl, (location, store) => proveFeed(location, store, size))
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ callers: 240, events: 600 })
  })
})
