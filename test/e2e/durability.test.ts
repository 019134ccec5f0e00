/**
 * Tests the durability under kills, readers, many opens and many writers. `npm run prove` runs the same proofs at full
 * size.
 */
import { describe, expect, inject, test } from 'vitest'
import type { StoreLocation } from '../../src/storage/location.ts'
import type { Store } from '../../src/storage/store.ts'
import { openStore } from '../../src/storage/open.ts'
import { BOARD, withPlace } from '../helpers/places.ts'
import { proveBusy } from '../helpers/proofs/busy.ts'
import { proveHandles } from '../helpers/proofs/handles.ts'
import { proveKills } from '../helpers/proofs/kills.ts'
import { createCards } from '../helpers/proofs/proof.ts'
import { proveReads, proveReadsAfterKill } from '../helpers/proofs/reads.ts'
import { proveSplits } from '../helpers/proofs/splits.ts'
import { startWorkers } from '../helpers/processes.ts'

type FileLocation = Extract<StoreLocation, { engine: 'sqlite' }>

const onFile = <T>(work: (location: FileLocation, store: Store) => Promise<T>): Promise<T> =>
  withPlace('sqlite', '', (location, store) => work(location as FileLocation, store))

describe('a store file', () => {
  test('a store file keeps every acknowledged write when its writers are killed', async () => {
    const proof = await onFile((location) => proveKills(location, { kills: 6, lines: 2 }))
    expect(proof.faults).toEqual([])
    expect(proof.figures.acknowledged).toBeGreaterThanOrEqual(6)
  })

  test('a card is split whole or not at all when the process is killed', async () => {
    const proof = await onFile((location) => proveSplits(location, { kills: 3 }))
    expect(proof.faults).toEqual([])
    expect(proof.figures['splits']).toBeGreaterThanOrEqual(3)
  })

  test('reads leave a cleanly closed store file unchanged, byte for byte', async () => {
    const proof = await onFile(proveReads)
    expect(proof.faults).toEqual([])
  })

  test('a store file reads the same before and after recovery', async () => {
    const proof = await onFile((location, store) => proveReadsAfterKill(location, store, { kills: 3 }))
    expect(proof.faults).toEqual([])
  })

  test('opening a store file leaks no handle and no memory', async () => {
    const proof = await onFile((location) => proveHandles(location, { opens: 100, failures: 100 }))
    expect(proof.faults).toEqual([])
  })

  test('five busy processes and an open connection lose no write', async () => {
    const proof = await onFile((location, store) => proveBusy(location, store, { processes: 5, seconds: 1 }))
    expect(proof.faults).toEqual([])
  })

  test('a third process sees cards written by two connections in turn', async () => {
    await onFile(async (location, here) => {
      const ids = await createCards(here, 1)
      for (let round = 0; round < 5; round++) {
        const there = await startWorkers(location, 1)
        for (const worker of there) ids.push(...(await worker.run('write', { count: 3 })).created)
        await Promise.all(there.map((worker) => worker.end()))
        ids.push(...(await createCards(here, 1)))
      }
      const third = await openStore(location, { mode: 'read' })
      const seen = (await third.tasks(BOARD)).map((task) => task.id)
      expect(await third.doctor()).toEqual([])
      await third.close()
      expect(seen.toSorted()).toEqual(ids.toSorted())
    })
  })
})

describe('a store on a server', () => {
  const onServer = <T>(work: (location: StoreLocation, store: Store) => Promise<T>): Promise<T> =>
    withPlace('postgres', inject('postgresUrl'), work)

  test('a server store keeps every acknowledged write when its writers are killed', async () => {
    const proof = await onServer((location) => proveKills(location, { kills: 3, lines: 2 }))
    expect(proof.faults).toEqual([])
  })

  test('a card in a server store is split whole or not at all when the process is killed', async () => {
    const proof = await onServer((location) => proveSplits(location, { kills: 3 }))
    expect(proof.faults).toEqual([])
  })

  test('opening a server store leaks no handle and no memory', async () => {
    const proof = await onServer((location) => proveHandles(location, { opens: 50, failures: 60 }))
    expect(proof.faults).toEqual([])
  })

  test('four busy processes and an open connection lose no write on a server', async () => {
    const proof = await onServer((location, store) => proveBusy(location, store, { processes: 4, seconds: 1 }))
    expect(proof.faults).toEqual([])
  })
})
