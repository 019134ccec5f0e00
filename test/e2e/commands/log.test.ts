// Tests `log` through the real binary: the whole output, its end, live output, and output beyond the size limit.
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { followLog } from '../../../src/operations/runs/follow-log.ts'
import { readLog } from '../../../src/operations/runs/read-log.ts'
import { WORLD_VARIABLE } from '../../helpers/altered-system.ts'
import { answerOf, refusalOf } from '../../helpers/answers.ts'
import { appeared, makeCommandHome } from '../../helpers/cli.ts'
import { untilPrinted } from '../../helpers/run-cards.ts'
import { strictOutput } from '../../helpers/strict-output.ts'

const followed = await strictOutput(followLog)

const answer = await strictOutput(readLog)
const textOf = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => followed.parse(JSON.parse(line)).text)
    .join('')

describe('log', () => {
  test('`log --follow` prints the output of a run to its end, and `log` prints the same output', async () => {
    const home = makeCommandHome('sqlite')
    const body = `echo one; while [ ! -e go ]; do sleep 0.2; done; printf 'zwei \\303\\274\\n\\377end'`
    const card = await home.create('talks', '--assignee', 'shell', '--body', body)
    expect(await refusalOf(home, 'log', card.id)).toMatchObject({ exit: 3, code: 'run_not_found' })
    await home.dispatch()
    const { run } = await home.liveRun(card.id)
    const plain = home.start(['log', card.id.slice(0, 8), '--follow'])
    const lines = home.start(['log', card.id, '--follow', '--json'])
    const left = home.start(['log', card.id, '--follow'])
    for (const running of [plain, lines, left]) await untilPrinted(home, running, 'one')
    left.child.kill('SIGINT')
    expect(await left.ended).toEqual({ code: 0, stdout: 'one\n', stderr: '' })

    writeFileSync(home.workspace(card.id, 'go'), '')
    expect(await plain.ended).toEqual({ code: 0, stdout: 'one\nzwei ü\n\uFFFDend', stderr: '' })
    const ndjson = await lines.ended
    expect([ndjson.code, textOf(ndjson.stdout), ndjson.stderr]).toEqual([0, 'one\nzwei ü\n\uFFFDend', ''])

    const whole = await answerOf(home, answer, 'log', card.id)
    expect(whole).toEqual({
      run: run.id,
      attempt: 1,
      phase: 'work',
      path: run.logPath,
      text: 'one\nzwei ü\n\uFFFDend',
      truncated: false,
    })
    expect(await home.muster('log', card.id, '--tail', '1', '--run', '1')).toMatchObject({ stdout: '\uFFFDend' })
    expect(await answerOf(home, answer, 'log', card.id, '--tail', '6b', '--run', run.id)).toMatchObject({
      text: '\uFFFDend',
      truncated: true,
    })
    expect(await home.muster('log', card.id, '--supervisor')).toEqual({
      code: 0,
      stdout: '',
      stderr: '(no output)\n',
    })
  })

  test('`log` reports why a card has no log, or which machine has the log', async () => {
    const home = makeCommandHome('sqlite')
    const mine = await home.create('mine')
    await home.muster('complete', mine.id, '--summary', 'done')
    expect((await refusalOf(home, 'log', mine.id)).message).toContain('because tester claimed it by hand')
    const card = await home.create('talks', '--assignee', 'shell', '--body', 'echo hello')
    await home.dispatch('--wait')
    expect(await refusalOf(home, 'log', card.id, '--run', '7')).toMatchObject({ exit: 3, code: 'run_not_found' })
    expect(await refusalOf(home, 'log', card.id, '--tail', 'much')).toMatchObject({ exit: 2 })

    const [run] = (await home.show(card.id)).runs
    rmSync(join(run?.logPath ?? '', '..'), { recursive: true })
    expect(await refusalOf(home, 'log', card.id)).toMatchObject({
      exit: 3,
      message: expect.stringContaining('muster gc'),
    })
    const world = join(home.home, 'world.json')
    writeFileSync(world, JSON.stringify({ systemId: 'another machine' }))
    const { code, stderr } = await home.start(['log', card.id], { env: { [WORLD_VARIABLE]: world } }).ended
    expect(code).toBe(3)
    expect(stderr).toContain(`ran on machine ${run?.machine}. Its log is on that machine: ${run?.logPath}`)
  })
})

test('a log beyond the size limit keeps its beginning and its end', async () => {
  const home = makeCommandHome('sqlite')
  const max = 256 * 1024
  home.env['MUSTER_LOG_MAX_BYTES'] = String(max)
  const body = 'echo it begins; seq 1 400000; touch flooded; while [ ! -e go ]; do sleep 0.2; done; echo it ends'
  const card = await home.create('floods', '--assignee', 'shell', '--body', body)
  await home.dispatch()
  const { directory } = await home.liveRun(card.id)
  await home.until('it has flooded', () => appeared(home.workspace(card.id, 'flooded')))
  await home.until('its log is cut', () => statSync(directory.log).blocks * 512 <= max)
  writeFileSync(home.workspace(card.id, 'go'), '')
  const { code, stdout } = await home.start(['log', card.id, '--follow']).ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/^it begins\n1\n2\n3\n[\d\n]+\[… \d+ bytes left out …\]\n[\d\n]+\n399999\n400000\nit ends\n$/)
  expect(stdout.length).toBeLessThan(2 * max)
  expect(await answerOf(home, answer, 'log', card.id)).toMatchObject({ text: stdout, truncated: true })
  expect(await home.muster('log', card.id, '--tail', '2')).toMatchObject({ stdout: '400000\nit ends\n' })
  expect((await home.show(card.id)).result).toMatch(/399999\n400000\nit ends$/)
})
