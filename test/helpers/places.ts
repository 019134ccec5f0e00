/** Makes a temporary store for a proof or a bench: a folder or a schema that is deleted afterwards. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { unwrap } from '../../src/core/command.ts'
import type { StoreLocation } from '../../src/storage/location.ts'
import { openStore } from '../../src/storage/open.ts'
import type { Store } from '../../src/storage/store.ts'

export type Engine = StoreLocation['engine']

/** The board on which every proof works. */
export const BOARD = 'main'

function freshLocation(engine: Engine, postgresUrl: string): StoreLocation {
  if (engine === 'postgres') return { engine, url: postgresUrl, schema: `p_${randomBytes(6).toString('hex')}` }
  return { engine, path: join(mkdtempSync(join(tmpdir(), 'muster-place-')), 'muster.db') }
}

async function remove(location: StoreLocation): Promise<void> {
  if (location.engine === 'sqlite') return rmSync(join(location.path, '..'), { recursive: true, force: true })
  const client = postgres(location.url, { max: 1, onnotice: () => undefined })
  await client.unsafe(`drop schema if exists ${location.schema} cascade`)
  await client.end()
}

/** Runs `work` on a new store with an empty board. `store` is the connection of this process. */
export async function withPlace<T>(
  engine: Engine,
  postgresUrl: string,
  work: (location: StoreLocation, store: Store) => Promise<T>,
): Promise<T> {
  const location = freshLocation(engine, postgresUrl)
  try {
    const store = await openStore(location, { mode: 'create' })
    try {
      const actor = { kind: 'person', name: 'ada' } as const
      unwrap(await store.decide({ verb: 'create_board', board: BOARD, actor, input: { slug: BOARD } }))
      return await work(location, store)
    } finally {
      await store.close()
    }
  } finally {
    await remove(location)
  }
}
