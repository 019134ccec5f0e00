import { expect, test } from 'vitest'
import { identify, isAlive, ownIdentity, thisHost } from '../../src/processes/identity.ts'
import type { Host } from '../../src/processes/identity.ts'
import { tableOf } from './process-table.ts'

const machine = { id: 'm_1', bootId: 'boot-1', pidNamespace: null }
const host = (patch: Parameters<typeof tableOf>[0][number]): Host => ({ machine, processes: tableOf([patch]) })

test('a process with the same pid and start time is alive', () => {
  const there = host({ pid: 7, startTime: '100' })
  const identity = identify(there, 7)
  expect(identity).toEqual({ machine: 'm_1', bootId: 'boot-1', pidNamespace: null, pid: 7, startTime: '100' })
  expect(identity && isAlive(there, identity)).toBe(true)
})

test.each([
  ['a later process has its pid', host({ pid: 7, startTime: '200' })],
  ['it is a zombie', host({ pid: 7, startTime: '100', zombie: true })],
  ['its pid does not exist', host({ pid: 8, startTime: '100' })],
  ['the machine was rebooted', { ...host({ pid: 7, startTime: '100' }), machine: { ...machine, bootId: 'boot-2' } }],
  ['it ran on another machine', { ...host({ pid: 7, startTime: '100' }), machine: { ...machine, id: 'm_2' } }],
])('a process is dead when %s', (_, there) => {
  expect(isAlive(there, { machine: 'm_1', bootId: 'boot-1', pidNamespace: null, pid: 7, startTime: '100' })).toBe(false)
})

test('the current process is alive', () => {
  const here = thisHost()
  expect(isAlive(here, ownIdentity(here))).toBe(true)
})

test('a platform without a supported process table is refused', () => {
  expect(() => thisHost({ platform: 'win32' })).toThrow('on Windows use WSL')
})
