// Tests `ps` and `stop` through the real binary.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listProcesses } from '../../../src/operations/runs/list-processes.ts'
import { WORLD_VARIABLE } from '../../helpers/altered-system.ts'
import { answerOf, refusalOf, tasksOf } from '../../helpers/answers.ts'
import { appeared, isLiving, makeCommandHome } from '../../helpers/cli.ts'

const { output } = await listProcesses.schemas()

const BUSY = 'echo hello there; sleep 1000 & touch begun; wait'

describe('ps and stop', () => {
  test('`ps` shows every live run with its processes, and `stop` ends one run', async () => {
    const home = makeCommandHome('sqlite')
    const card = await home.create('Works hard', '--assignee', 'shell', '--body', BUSY)
    const mine = await home.create('My own')
    await home.muster('claim', mine.id)
    await home.dispatch()
    const { run, supervisor } = await home.liveRun(card.id)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))

    const runs = await answerOf(home, output, 'ps')
    expect(runs).toHaveLength(2)
    const shown = runs.find(({ taskId }) => taskId === card.id)
    expect(shown).toMatchObject({
      runId: run.id,
      title: 'Works hard',
      agent: 'shell',
      attempt: 1,
      condition: 'working',
      lastLine: 'hello there',
      supervisor: { pid: supervisor, alive: true },
    })
    expect(shown?.rssBytes).toBeGreaterThan(0)
    expect(shown?.lease?.leftMs).toBeGreaterThan(0)
    const sleeper = shown?.processes.find(({ command }) => command === 'sleep 1000')
    expect(shown?.processes.map(({ pid }) => pid)).toContain(sleeper?.parent)
    expect(runs.find(({ taskId }) => taskId === mine.id)).toMatchObject({
      condition: 'manual',
      claimedBy: 'tester',
      processes: [],
      supervisor: null,
    })

    const { stdout } = await home.muster('ps')
    expect(stdout).toContain(`● ${card.id}  Works hard`)
    expect(stdout).toMatch(new RegExp(`supervisor ${supervisor}  \\w+  .*last contact .* ago`))
    expect(stdout).toMatch(/\d+ processes {2}.* CPU .* %\)/)
    expect(stdout).toMatch(/\n {4}.*sleep 1000\n/)
    expect(stdout).toContain('  > hello there')
    expect(stdout).toMatch(/\n {2}last activity \S+ (s|min) ago\n/)
    expect(await answerOf(home, output, 'ps', '--board', 'default')).toHaveLength(2)
    expect(await refusalOf(home, 'ps', '--board', 'none')).toMatchObject({ exit: 3, code: 'board_not_found' })

    const [stopped] = await tasksOf(home, 'stop', card.id, 'it', 'took', 'too', 'long')
    expect(stopped).toMatchObject({ status: 'ready', held: true, consecutiveFailures: 0 })
    expect((await home.show(card.id)).runs).toMatchObject([{ outcome: 'stopped', summary: 'it took too long' }])
    await home.until('the supervisor is gone', () => !isLiving(run))
    const again = await home.muster('stop', card.id, mine.id, '--json')
    expect(again.code).toBe(1)
    expect(JSON.parse(again.stdout)).toMatchObject([{ ok: false }, { ok: false }])
    expect((await answerOf(home, output, 'ps')).map(({ taskId }) => taskId)).toEqual([mine.id])
  })

  test('`ps` reports a lost supervisor, and a run of another machine', async () => {
    const home = makeCommandHome('sqlite')
    const card = await home.create('Works', '--assignee', 'shell', '--body', BUSY)
    await home.dispatch()
    const { run, supervisor } = await home.liveRun(card.id)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))

    const world = join(home.home, 'world.json')
    writeFileSync(world, JSON.stringify({ systemId: 'another machine' }))
    const elsewhere = await home.start(['ps', '--json'], { env: { [WORLD_VARIABLE]: world } }).ended
    expect(output.parse(JSON.parse(elsewhere.stdout))).toMatchObject([
      { condition: 'elsewhere', machine: run.machine, processes: [], supervisor: null, lastLine: null },
    ])

    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is gone', () => !isLiving(run))
    const [lost] = await answerOf(home, output, 'ps')
    expect(lost).toMatchObject({ runId: run.id, supervisor: { pid: supervisor, alive: false } })
    expect(lost?.condition).toBe((lost?.processes.length ?? 0) > 0 ? 'orphaned' : 'gone')
    expect((await home.muster('ps')).stdout).toContain(`supervisor ${supervisor} not running`)
  })
})
