/** Alters the system that the processes of a test home see. They run the test build (altered-system.ts). */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WORLD_VARIABLE } from './altered-system.ts'
import type { TestWorld } from './altered-system.ts'
import { makeTestHome } from './cli.ts'
import type { TestHome } from './cli.ts'

export interface AlteredWorld {
  /** Alters the system for every process of this home from now on. */
  set(change: TestWorld): void
}

export function alterWorld({ home, env }: TestHome): AlteredWorld {
  const path = join(home, '..', 'world.json')
  let world: TestWorld = {}
  const set = (change: TestWorld): void => {
    world = { ...world, ...change }
    writeFileSync(`${path}.tmp`, JSON.stringify(world))
    renameSync(`${path}.tmp`, path)
  }
  set({})
  env[WORLD_VARIABLE] = path
  return { set }
}

/** Makes two machines on one server, each with its own home and identity. */
export async function makeTwoMachines(): Promise<readonly [TestHome, TestHome]> {
  const [one, two] = [makeTestHome('postgres'), makeTestHome('postgres')]
  two.env['MUSTER_STORE'] = one.env['MUSTER_STORE']
  alterWorld(one).set({ systemId: 'machine one' })
  alterWorld(two).set({ systemId: 'machine two' })
  for (const home of [one, two]) await home.muster('init')
  await one.setBoard({ retryBaseMs: 1 })
  return [one, two]
}
