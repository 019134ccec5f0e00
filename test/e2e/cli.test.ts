// Tests the real binary in a shell: streams, exit codes, signals, and `muster up` until Ctrl-C.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN, appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import { WAITS, untilPrinted } from '../helpers/run-cards.ts'
import { ENGINES } from '../helpers/stores.ts'

describe.each(ENGINES)('the binary (%s)', (engine) => {
  test('`muster up` runs a chain of cards and prints how each run ended', async () => {
    const home = makeTestHome(engine)
    const first = await home.create('first', '--assignee', 'shell', '--body', 'echo one')
    const second = await home.create('second', '--assignee', 'shell', '--parent', first.id, '--body', 'exit 9')
    await home.setBoard({ failureLimit: 1 })
    const up = home.start(['up'])
    await untilPrinted(home, up, `completed     ${first.id}  first`)
    await untilPrinted(home, up, `gave_up       ${second.id}  second`)
    up.child.kill('SIGINT')
    expect((await up.ended).code).toBe(0)
    expect(await home.show(second.id)).toMatchObject({ status: 'blocked', blockKind: 'breaker' })
  })
})

// These tests do not depend on the engine.
describe('the binary in a shell', () => {
  test('the shell gets the exit code of a command', async () => {
    const home = makeTestHome('sqlite')
    expect(await home.muster('list')).toMatchObject({ code: 3, stdout: '' })
    expect(readdirSync(join(home.home, '..'))).toEqual([])
    expect(await home.muster('init')).toMatchObject({ code: 0 })
    expect(statSync(home.home).mode & 0o777).toBe(0o700)
    expect(await home.muster('show', 't_zzzzzzzzzz')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: 'muster: There is no card t_zzzzzzzzzz. To list the cards: muster list\n',
    })
    expect(await home.muster('list', '--stat', 'x')).toMatchObject({ code: 2 })
    expect(await home.muster('no-such-verb')).toMatchObject({ code: 2 })
    expect(await home.muster('list', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
    expect(await home.muster('doctor', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  })

  test('`create` reads a body from standard input', async () => {
    const home = makeTestHome('sqlite')
    const { stdout } = await home.start(['create', 'piped', '--body', '-', '--json'], { stdin: 'über\n' }).ended
    expect(JSON.parse(stdout)).toMatchObject({ body: 'über\n' })
  })

  test('`muster up` starts cards, and their runs continue after Ctrl-C', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    const up = home.start(['up'])
    await untilPrinted(home, up, 'Running cards')
    const card = await home.create('runs on', '--assignee', 'shell', '--body', `${WAITS}; echo finished`)
    await untilPrinted(home, up, `started       ${card.id}`)
    const { run } = await home.liveRun(card.id)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))

    up.child.kill('SIGINT')
    const { code, stderr } = await up.ended
    expect(code).toBe(0)
    expect(stderr).toContain('Stopped. 1 run continues.')
    expect(isLiving(run)).toBe(true)

    writeFileSync(home.workspace(card.id, 'go'), '')
    await home.until('the run has settled', async () => (await (await home.store()).run(run.id))?.outcome)
    expect(await home.show(card.id)).toMatchObject({ status: 'done', result: 'begun\nfinished' })
  })

  test('`muster up` shows that a card went to triage after a block loop', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    await home.runInline('boards', 'set', 'default', 'blockLoopLimit=2', 'failureLimit=1')
    const up = home.start(['up'])
    await untilPrinted(home, up, 'Running cards')
    const card = await home.create('fails', '--assignee', 'shell', '--body', 'exit 3')
    await untilPrinted(home, up, `gave_up       ${card.id}`)
    await home.runInline('unblock', card.id)
    await untilPrinted(home, up, `to triage     ${card.id}`)
    up.child.kill('SIGINT')
    await up.ended
  })

  test('a second dispatcher takes over at once when the first dies', async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    home.env['MUSTER_SWEEP_MS'] = '100'
    home.env['MUSTER_DISPATCHER_LEASE_MS'] = '3600000'
    const first = home.start(['up'])
    await untilPrinted(home, first, 'Running cards')
    const second = home.start(['up'])
    await untilPrinted(home, second, 'Waiting to take over.')
    expect(await home.muster('dispatch')).toMatchObject({ code: 4 })

    first.child.kill('SIGKILL')
    await first.ended
    await untilPrinted(home, second, 'Running cards')
    const card = await home.create('after', '--assignee', 'shell', '--body', 'true')
    await untilPrinted(home, second, `completed     ${card.id}`)
  })

  test('`muster up` finds a killed supervisor without a nudge', async () => {
    const home = makeTestHome('sqlite')
    const body = 'echo try >>tries; [ "$(wc -l <tries)" -gt 1 ] || { touch begun; sleep 600; }'
    const card = await home.create('lost', '--assignee', 'shell', '--body', body)
    await home.dispatch()
    const { supervisor } = await home.liveRun(card.id)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))
    home.env['MUSTER_SWEEP_MS'] = '100'
    const up = home.start(['up'])
    await untilPrinted(home, up, 'Running cards')
    process.kill(supervisor, 'SIGKILL')
    await untilPrinted(home, up, `interrupted   ${card.id}`)
    await untilPrinted(home, up, `completed     ${card.id}`)
  })

  test('a closed output pipe is not an error', async () => {
    const home = makeTestHome('sqlite')
    // A list is written in pieces, so several writes follow the broken pipe.
    for (const title of ['much', 'to', 'say'])
      await home.start(['create', title, '--body', '-'], { stdin: 'x'.repeat(500_000) }).ended
    const child = spawn('/bin/sh', ['-c', `"$0" "$1" list --json | head -c 10`, process.execPath, BIN], {
      env: home.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    await once(child, 'close')
    expect(stderr).toBe('')
  })
})
