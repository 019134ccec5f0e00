import { expect, test } from 'vitest'
import { parseLinuxUsage, parsePsUsage, readUsage } from '../../src/processes/process-usage.ts'

test('usage on Linux is parsed even if the process name has parentheses', () => {
  const stat =
    '4711 (a) b (c) S 1 4711 4711 0 -1 4194560 100 0 0 0 150 25 0 0 20 0 1 0 8100 1000 200 18446744073709551615'
  const status = 'Name:\ta) b (c\nVmPeak:\t  9000 kB\nVmRSS:\t    1536 kB\n'
  expect(parseLinuxUsage({ stat, status, cmdline: 'sh\0-c\0sleep 5\0' })).toEqual({
    pid: 4711,
    command: 'sh -c sleep 5',
    state: 'sleeping',
    rssBytes: 1536 * 1024,
    cpuMs: 1750,
  })
})

test('a zombie is shown without memory, and with its name in place of the command line', () => {
  const stat = '12 (gone) Z 1 12 12 0 -1 4194560 0 0 0 0 3 0 0 0 20 0 1 0 8100 0 0 0'
  expect(parseLinuxUsage({ stat, status: 'Name:\tgone\n', cmdline: '' })).toMatchObject({
    command: '[gone]',
    state: 'zombie',
    rssBytes: 0,
    cpuMs: 30,
  })
  expect(parseLinuxUsage({ stat: 'nonsense', status: '', cmdline: '' })).toBeNull()
})

test('usage on macOS is parsed from ps, in every format of CPU time', () => {
  const output = [
    '  501 Ss     2048   0:01.25 /bin/sh wrapper.sh  /tmp/run',
    '  502 R+    10240  12:00.50 node agent.js',
    '  503 T         0 2-01:00:00 vi',
    'nonsense',
  ].join('\n')
  expect(parsePsUsage(output)).toEqual([
    { pid: 501, command: '/bin/sh wrapper.sh  /tmp/run', state: 'sleeping', rssBytes: 2048 * 1024, cpuMs: 1250 },
    { pid: 502, command: 'node agent.js', state: 'running', rssBytes: 10240 * 1024, cpuMs: 720_500 },
    { pid: 503, command: 'vi', state: 'stopped', rssBytes: 0, cpuMs: 176_400_000 },
  ])
})

test('the usage of the current process is read, and processes that do not exist are left out', () => {
  const [own, ...others] = readUsage([process.pid, 2 ** 22 + 1])
  expect(others).toEqual([])
  expect(own?.pid).toBe(process.pid)
  expect(own?.rssBytes).toBeGreaterThan(1024 ** 2)
})
