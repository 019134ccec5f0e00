import { expect, test } from 'vitest'
import { describeMachine } from '../../src/processes/machine.ts'
import { alterMachine, alterProcesses } from '../helpers/altered-system.ts'
import type { TestWorld } from '../helpers/altered-system.ts'
import { tableOf } from './process-table.ts'

const source = {
  systemId: () => 'abc',
  hostname: () => 'laptop',
  bootId: () => 'boot-1',
  pidNamespace: () => null,
}
const machineIn = (world: TestWorld) => describeMachine(alterMachine(source, () => world))
const plain = describeMachine(source)

test('an empty test world changes nothing', () => {
  expect(machineIn({})).toEqual(plain)
})

test('a new host name or a reboot does not change the machine id (scenario 66)', () => {
  expect(machineIn({ hostname: 'elsewhere' })).toEqual({ ...plain, hostname: 'elsewhere' })
  expect(machineIn({ bootId: 'boot-2' })).toEqual({ ...plain, bootId: 'boot-2' })
})

test('another system id or pid namespace means another machine', () => {
  expect(machineIn({ systemId: 'xyz' }).id).not.toBe(plain.id)
  expect(machineIn({ pidNamespace: '4026532999' }).id).not.toBe(plain.id)
})

test('a system without an id is identified by its host name', () => {
  const nameless = { ...source, systemId: () => null }
  const id = (hostname: string) => describeMachine(alterMachine(nameless, () => ({ hostname }))).id
  expect(id('a')).not.toBe(id('b'))
})

test('a test world can hide processes, change processes and drop signals', () => {
  const table = tableOf([{ pid: 7 }, { pid: 8 }, { pid: 9 }])
  let world: TestWorld = { processes: { 7: null, 8: { startTime: 'later' } }, signals: 'lost' }
  const altered = alterProcesses(table, () => world)
  expect(altered.read(7)).toBeNull()
  expect(altered.read(8)).toMatchObject({ startTime: 'later' })
  expect(altered.list().map(({ pid }) => pid)).toEqual([8, 9])
  altered.signal(9, 'SIGKILL')
  world = {}
  expect(altered.read(7)).toMatchObject({ pid: 7 })
  altered.signal(9, 'SIGTERM')
  expect(table.sent).toEqual([{ pid: 9, signal: 'SIGTERM' }])
})
