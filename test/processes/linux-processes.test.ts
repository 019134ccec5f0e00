import { expect, test } from 'vitest'
import { linuxProcesses, parseStat } from '../../src/processes/linux-processes.ts'

const line = (name: string, state: string): string =>
  `4711 (${name}) ${state} 1 4700 4600 0 -1 4194304 98 0 0 0 0 0 0 0 20 0 1 0 158897 3133440 413 1844`

test('a line of /proc gives the parent, group, session and start time', () => {
  expect(parseStat(line('cat', 'R'))).toEqual({
    pid: 4711,
    parent: 1,
    group: 4700,
    session: 4600,
    zombie: false,
    startTime: '158897',
  })
})

test('a name with spaces and parentheses does not shift the fields', () => {
  expect(parseStat(line('a) R 1 (b', 'S'))).toMatchObject({ parent: 1, startTime: '158897' })
})

test('a process in state Z is a zombie', () => {
  expect(parseStat(line('x', 'Z'))?.zombie).toBe(true)
})

test('an incomplete line is not parsed as a process', () => {
  expect(parseStat('4711 (cat) R 1 2')).toBeNull()
  expect(parseStat('')).toBeNull()
})

test.runIf(process.platform === 'linux')('the process table of Linux contains the current process', () => {
  expect(linuxProcesses.read(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false })
  expect(linuxProcesses.list().some(({ pid }) => pid === process.pid)).toBe(true)
  expect(linuxProcesses.hasEnvironment(process.pid, 'NO_SUCH_VARIABLE=1')).toBe(false)
})
