/** Tests many processes on one store at once. `npm run prove` runs the same proofs at full size. */
import { describe, expect, inject, test } from 'vitest'
import { withPlace } from '../helpers/places.ts'
import { proveCap, proveClaims } from '../helpers/proofs/claims.ts'
import { proveFeed } from '../helpers/proofs/feed.ts'
import { proveFamilies, proveLinks } from '../helpers/proofs/graph.ts'
import { proveKeys } from '../helpers/proofs/keys.ts'

describe.each(['sqlite', 'postgres'] as const)('processes that race (%s)', (engine) => {
  const postgresUrl = inject('postgresUrl')

  test('ten creates with one idempotency key make one card', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveKeys(location, store, { processes: 10, rounds: 5 }),
    )
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ cards: 5, 'found an existing card': 45 })
  })

  test('one of five machines wins the claim of a card', async () => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveClaims(location, store, { processes: 5, rounds: 16 }),
    )
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ won: 16, claim_lost: 64 })
  })

  test.each(['machine', 'agent'] as const)('five claims at once never exceed the cap of a %s', async (of) => {
    const proof = await withPlace(engine, postgresUrl, (location, store) =>
      proveCap(location, store, { processes: 5, rounds: 16, cap: 2, of }),
    )
    expect(proof.faults).toEqual([])
    expect(proof.figures).toMatchObject({ won: 32, capped: 48 })
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
