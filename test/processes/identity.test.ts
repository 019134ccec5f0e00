import { expect, test } from 'vitest'
import { identify, isAlive, ownIdentity, thisHost } from '../../src/processes/identity.ts'
import type { Host } from '../../src/processes/identity.ts'
import { tableOf } from './process-table.ts'

const machine = { id: 'm_1', bootId: 'boot-1', pidNamespace: null }
const host = (patch: Parameters<typeof tableOf>[0][number]): Host => ({ machine, processes: tableOf([patch]) })

test('the same pid with the same start time lives', () => {
  const there = host({ pid: 7, startTime: '100' })
  const identity = identify(there, 7)
  expect(identity).toEqual({ machine: 'm_1', bootId: 'boot-1', pidNamespace: null, pid: 7, startTime: '100' })
  expect(identity && isAlive(there, identity)).toBe(true)
})

test.each([
  ['its pid belongs to a later process', host({ pid: 7, startTime: '200' })],
  ['it waits to be collected', host({ pid: 7, startTime: '100', zombie: true })],
  ['it is not there', host({ pid: 8, startTime: '100' })],
  [
    'the machine has booted since',
    { ...host({ pid: 7, startTime: '100' }), machine: { ...machine, bootId: 'boot-2' } },
  ],
  ['it was on another machine', { ...host({ pid: 7, startTime: '100' }), machine: { ...machine, id: 'm_2' } }],
])('a process is dead when %s', (_, there) => {
  expect(isAlive(there, { machine: 'm_1', bootId: 'boot-1', pidNamespace: null, pid: 7, startTime: '100' })).toBe(false)
})

test('this very process is alive', () => {
  const here = thisHost()
  expect(isAlive(here, ownIdentity(here))).toBe(true)
})

test('a platform without process tables we can read is refused', () => {
  expect(() => thisHost({ platform: 'win32' })).toThrow('on Windows use WSL')
})
