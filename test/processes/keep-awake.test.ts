import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { keepAwake } from '../../src/processes/keep-awake.ts'
import { isGone } from '../helpers/run-cards.ts'
import { testFolder } from '../helpers/stores.ts'

/** Makes a program that records its arguments and its pid, then runs `body`. */
function withTool(name: string, body: string) {
  const folder = testFolder()
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\necho "$*" >'${folder}/args'\necho $$ >'${folder}/pid'\n${body}\n`)
  chmodSync(file, 0o755)
  const pid = (): number => (existsSync(join(folder, 'pid')) ? Number(readFileSync(join(folder, 'pid'), 'utf8')) : 0)
  return {
    env: { PATH: `${folder}:/usr/bin:/bin` },
    args: () => readFileSync(join(folder, 'args'), 'utf8').trim(),
    pid,
    hasStarted: () => vi.waitFor(() => expect(pid()).toBeGreaterThan(0)),
    hasEnded: (id: number) => vi.waitFor(() => expect(isGone(id)).toBe(true)),
  }
}

test('on Linux, the sleep inhibitor runs only while it is needed', async () => {
  const tool = withTool('systemd-inhibit', 'exec cat')
  const faults: string[] = []
  const keeper = keepAwake({ platform: 'linux', env: tool.env, onFault: (why) => faults.push(why) })
  await keeper.update(false)
  expect(tool.pid()).toBe(0)
  await keeper.update(true)
  await tool.hasStarted()
  const pid = tool.pid()
  await Promise.all([keeper.update(true), keeper.update(true)])
  expect(tool.pid()).toBe(pid)
  expect(tool.args()).toBe('--what=idle:sleep --who=Muster --why=Cards are running --mode=block cat')
  await keeper.update(false)
  await tool.hasEnded(pid)
  await Promise.all([keeper.update(true), keeper.update(true)])
  await vi.waitFor(() => expect(tool.pid()).not.toBe(pid))
  keeper.stop()
  await tool.hasEnded(tool.pid())
  expect(faults).toEqual([])
})

test('on macOS, caffeinate runs and watches the process of Muster', async () => {
  const tool = withTool('caffeinate', 'exec cat')
  const keeper = keepAwake({ platform: 'darwin', env: tool.env, onFault: () => {} })
  await keeper.update(true)
  await tool.hasStarted()
  expect(tool.args()).toBe(`-i -w ${process.pid}`)
  keeper.stop()
  await tool.hasEnded(tool.pid())
})

test('a missing or failing inhibitor program is reported once', async () => {
  const faults: string[] = []
  const onFault = (why: string): number => faults.push(why)
  const missing = keepAwake({ platform: 'linux', env: { PATH: '/nowhere' }, onFault })
  await missing.update(true)
  await missing.update(true)
  expect(faults.splice(0)).toEqual(['systemd-inhibit is not installed'])
  const tool = withTool('systemd-inhibit', "echo 'Failed to inhibit: Access denied' >&2; exit 1")
  const failing = keepAwake({ platform: 'linux', env: tool.env, onFault })
  await failing.update(true)
  await vi.waitFor(() => expect(faults).toEqual(['systemd-inhibit ended: Failed to inhibit: Access denied']))
  await failing.update(true)
  failing.stop()
  await keepAwake({ platform: 'freebsd', env: {}, onFault }).update(true)
  expect(faults).toEqual(['systemd-inhibit ended: Failed to inhibit: Access denied', 'freebsd is not supported'])
})
