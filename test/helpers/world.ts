/** Alters the system that the processes of a test home see. They run the test build (altered-system.ts). */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
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

/**
 * Makes two machines on one server, each with its own home and identity. Commands on these machines run one after the
 * other, because `runInline` sets the machine of this process.
 */
export async function makeTwoMachines(): Promise<readonly [TestHome, TestHome]> {
  const [one, two] = [makeMachine('m_one'), makeMachine('m_two')]
  two.env['MUSTER_STORE'] = one.env['MUSTER_STORE']
  for (const home of [one, two]) await home.runInline('init')
  await one.setBoard({ retryBaseMs: 1 })
  return [one, two]
}

const makeMachine = (machine: string): TestHome => makeTestHome('postgres', onTestFinished, { machine })
