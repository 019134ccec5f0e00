import { expect, test } from 'vitest'
import { groupMembers } from '../../src/processes/group.ts'
import { terminateGroup } from '../../src/processes/terminate.ts'
import { runOf } from '../helpers/sample.ts'
import { tableOf } from './process-table.ts'
import type { FakeTable } from './process-table.ts'

const run = runOf('a')
const leader = { pid: 100, startTime: '1' }
const key = { run, leader }
const pidsOf = (table: FakeTable): number[] =>
  groupMembers(table, key)
    .map(({ pid }) => pid)
    .toSorted((a, b) => a - b)

test('a run’s processes are its session, its process group, descendants and marked processes', () => {
  const table = tableOf([
    { pid: 100 },
    { pid: 101, parent: 100, session: 100 },
    { pid: 102, parent: 1, group: 100, session: 9 },
    { pid: 103, parent: 101 },
    { pid: 104, parent: 103 },
    { pid: 105, parent: 1, environment: [`MUSTER_RUN=${run}`] },
    { pid: 106, parent: 1, environment: ['MUSTER_RUN=r_another00'] },
    { pid: 107, parent: 1 },
  ])
  expect(pidsOf(table)).toEqual([100, 101, 102, 103, 104, 105])
})

test('a zombie does not count as alive, but its child processes do', () => {
  const table = tableOf([
    { pid: 100, zombie: true },
    { pid: 101, parent: 100 },
  ])
  expect(pidsOf(table)).toEqual([101])
})

test('processes in the session of a dead wrapper count as alive', () => {
  expect(pidsOf(tableOf([{ pid: 101, parent: 1, session: 100 }]))).toEqual([101])
})

test('a process that got the wrapper’s pid later is not part of the run', () => {
  const table = tableOf([
    { pid: 100, startTime: '2' },
    { pid: 101, parent: 100, session: 100 },
  ])
  expect(pidsOf(table)).toEqual([])
})

test('only processes marked with the run count before the wrapper has written its pid', () => {
  const table = tableOf([{ pid: 100, environment: [`MUSTER_RUN=${run}`] }, { pid: 101 }])
  expect(groupMembers(table, { run, leader: null })).toMatchObject([{ pid: 100 }])
})

const timeouts = { terminateGraceMs: 30, killWaitMs: 30 }

test('a process that exits after SIGTERM is not killed', async () => {
  const table = tableOf([{ pid: 100 }], (own, pid, signal) => signal === 'SIGTERM' && own.remove(pid))
  expect(await terminateGroup(table, key, timeouts)).toEqual([])
  expect(table.sent).toEqual([{ pid: 100, signal: 'SIGTERM' }])
})

test('a process that ignores SIGTERM is killed after the grace time', async () => {
  const table = tableOf([{ pid: 100 }, { pid: 101, session: 100 }], (own, pid, signal) => {
    if (signal === 'SIGKILL' || (signal === 'SIGTERM' && pid === 101)) own.remove(pid)
  })
  expect(await terminateGroup(table, key, timeouts)).toEqual([])
  expect(table.sent.filter(({ signal }) => signal === 'SIGKILL')).toEqual([{ pid: 100, signal: 'SIGKILL' }])
})

test('a process that cannot be killed is reported to the caller', async () => {
  expect(await terminateGroup(tableOf([{ pid: 100 }]), key, timeouts)).toMatchObject([{ pid: 100 }])
})

test('no signal is sent if a group is empty', async () => {
  const table = tableOf([{ pid: 7 }])
  expect(await terminateGroup(table, key, timeouts)).toEqual([])
  expect(table.sent).toEqual([])
})
