/** What survives: kills, readers, thousands of openings, a crowd. The same proofs run at full size by `npm run prove`. */
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
import { startWorkers } from '../helpers/processes.ts'

type FileLocation = Extract<StoreLocation, { engine: 'sqlite' }>

const onFile = <T>(work: (location: FileLocation, store: Store) => Promise<T>): Promise<T> =>
  withPlace('sqlite', '', (location, store) => work(location as FileLocation, store))

describe('a store file', () => {
  test('keeps every acknowledged write when its writers are killed', async () => {
    const proof = await onFile((location) => proveKills(location, { kills: 10, lines: 2 }))
    expect(proof.faults).toEqual([])
    expect(proof.figures.acknowledged).toBeGreaterThanOrEqual(10)
  })

  test('is not changed by a byte by any question after a clean close', async () => {
    const proof = await onFile(proveReads)
    expect(proof.faults).toEqual([])
  })

  test('says the same before and after it is read and recovered when its writer was killed', async () => {
    const proof = await onFile((location, store) => proveReadsAfterKill(location, store, { kills: 3 }))
    expect(proof.faults).toEqual([])
  })

  test('leaves no handle and no memory behind, opened or not', async () => {
    const proof = await onFile((location) => proveHandles(location, { opens: 100, failures: 100 }))
    expect(proof.faults).toEqual([])
  })

  test('loses nothing between eight busy processes and a connection that stays', async () => {
    const proof = await onFile((location, store) => proveBusy(location, store, { processes: 8, seconds: 2 }))
    expect(proof.faults).toEqual([])
  })

  test('held open here, written and closed there, written here again, shows every card to a third', async () => {
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

  test('keeps every acknowledged write when its writers are killed', async () => {
    const proof = await onServer((location) => proveKills(location, { kills: 6, lines: 2 }))
    expect(proof.faults).toEqual([])
  })

  test('leaves no handle and no memory behind, opened or not', async () => {
    const proof = await onServer((location) => proveHandles(location, { opens: 50, failures: 60 }))
    expect(proof.faults).toEqual([])
  })

  test('loses nothing between busy processes and a connection that stays', async () => {
    const proof = await onServer((location, store) => proveBusy(location, store, { processes: 4, seconds: 1 }))
    expect(proof.faults).toEqual([])
  })
})
