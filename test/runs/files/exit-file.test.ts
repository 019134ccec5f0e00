import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cksum } from '../../../src/processes/cksum.ts'
import { parseExit } from '../../../src/runs/files/exit-file.ts'
import { parseLeader } from '../../../src/runs/wrapper.ts'
import { runOf } from '../../helpers/sample.ts'

const fence = { runId: runOf('a'), tokenHash: 'f00d' }
const seal = (line: string): string => `${line} ${cksum(Buffer.from(`${line}\n`))} ${Buffer.byteLength(line) + 1}\n`
const exit = (code: string): string => seal(`muster-exit 1 ${fence.runId} ${fence.tokenHash} ${code}`)

test.each(['', 'a', '123456789', 'x'.repeat(70_000)])(
  'the checksum equals the output of the command `cksum`',
  (text) => {
    const [crc] = execFileSync('cksum', { input: text, encoding: 'utf8' }).split(' ')
    expect(cksum(Buffer.from(text))).toBe(Number(crc))
  },
)

test('an exit code is read from the exit file', () => {
  expect(parseExit(exit('0'), fence)).toEqual({ code: 0, signal: null })
  expect(parseExit(exit('3'), fence)).toEqual({ code: 3, signal: null })
})

test('an exit code above 128 means a signal if a signal has that number', () => {
  expect(parseExit(exit('137'), fence)).toEqual({ code: 137, signal: 'SIGKILL' })
  expect(parseExit(exit('255'), fence)).toEqual({ code: 255, signal: null })
})

test.each([
  ['with no content', ''],
  ['that was cut short', exit('0').slice(0, 20)],
  ['with a changed status', exit('3').replace(' 3 ', ' 0 ')],
  ['from another run', seal(`muster-exit 1 ${runOf('b')} ${fence.tokenHash} 0`)],
  ['from another claim', seal(`muster-exit 1 ${fence.runId} beef 0`)],
  ['with another version', seal(`muster-exit 2 ${fence.runId} ${fence.tokenHash} 0`)],
  ['without a number', exit('x')],
])('an exit file %s counts as absent', (_, text) => {
  expect(parseExit(text, fence)).toBeNull()
})

test('the wrapper’s pid and its start time, even with spaces, are read from the pid file', () => {
  const pid = (rest: string): string => seal(`muster-pid 1 ${fence.runId} ${fence.tokenHash} ${rest}`)
  expect(parseLeader(pid('4711 158897'), fence)).toEqual({ pid: 4711, startTime: '158897' })
  expect(parseLeader(pid('4711 Sun Nov  8 03:12:44 2026   '), fence)?.startTime).toBe('Sun Nov  8 03:12:44 2026')
  expect(parseLeader(exit('0'), fence)).toBeNull()
})
