import { expect, test } from 'vitest'
import { parsePs } from '../../src/processes/mac-processes.ts'

test('a line of ps gives the parent, group and start time', () => {
  const output = `    1     0     1 Ss   Sun Nov  8 03:12:44 2026    \n  901   900   901 Z    Mon Nov  9 10:00:01 2026\n\n`
  expect(parsePs(output)).toEqual([
    { pid: 1, parent: 0, group: 1, session: 0, zombie: false, startTime: 'Sun Nov  8 03:12:44 2026' },
    { pid: 901, parent: 900, group: 901, session: 0, zombie: true, startTime: 'Mon Nov  9 10:00:01 2026' },
  ])
})

test('other output of ps is ignored', () => {
  expect(parsePs('ps: illegal option\n')).toEqual([])
})
