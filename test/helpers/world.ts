/** The world as the real processes of a test see it: its clock, its machine, its processes (config/test-world.ts). */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestWorld } from '../../src/config/test-world.ts'
import type { TestHome } from './cli.ts'

export interface AlteredWorld {
  /** What is named is so from now on, for every process of this home. */
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
  env['MUSTER_TEST_WORLD'] = path
  return { set }
}
