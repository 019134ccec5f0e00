import { expect, test } from 'vitest'
import type { TestWorld } from '../../src/config/test-world.ts'
import { alteredMachine, alteredProcesses } from '../../src/processes/altered-host.ts'
import { describeMachine } from '../../src/processes/machine.ts'
import { tableOf } from './process-table.ts'

const source = {
  systemId: () => 'abc',
  hostname: () => 'laptop',
  bootId: () => 'boot-1',
  pidNamespace: () => null,
}
const machineIn = (world: TestWorld) => describeMachine(alteredMachine(source, () => world))
const plain = describeMachine(source)

test('a world that names nothing changes nothing', () => {
  expect(machineIn({})).toEqual(plain)
})

test('another name in the network is the same machine; a reboot is too (scenario 66)', () => {
  expect(machineIn({ hostname: 'elsewhere' })).toEqual({ ...plain, hostname: 'elsewhere' })
  expect(machineIn({ bootId: 'boot-2' })).toEqual({ ...plain, bootId: 'boot-2' })
})

test('another system, or another pid namespace, is another machine', () => {
  expect(machineIn({ systemId: 'xyz' }).id).not.toBe(plain.id)
  expect(machineIn({ pidNamespace: '4026532999' }).id).not.toBe(plain.id)
})

test('without an id of its own a system is known by its name', () => {
  const nameless = { ...source, systemId: () => null }
  const id = (hostname: string) => describeMachine(alteredMachine(nameless, () => ({ hostname }))).id
  expect(id('a')).not.toBe(id('b'))
})

test('processes vanish, become others and survive signals as the world says', () => {
  const table = tableOf([{ pid: 7 }, { pid: 8 }, { pid: 9 }])
  let world: TestWorld = { processes: { 7: null, 8: { startTime: 'later' } }, signals: 'lost' }
  const altered = alteredProcesses(table, () => world)
  expect(altered.read(7)).toBeNull()
  expect(altered.read(8)).toMatchObject({ startTime: 'later' })
  expect(altered.list().map(({ pid }) => pid)).toEqual([8, 9])
  altered.signal(9, 'SIGKILL')
  world = {}
  expect(altered.read(7)).toMatchObject({ pid: 7 })
  altered.signal(9, 'SIGTERM')
  expect(table.sent).toEqual([{ pid: 9, signal: 'SIGTERM' }])
})
