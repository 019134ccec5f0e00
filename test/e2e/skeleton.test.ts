// Tests whole runs with the real binary: cards, dispatcher, supervisor, wrapper, and recovery after kills.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { taskDetails } from '../../src/operations/shared/views.ts'
import { groupMembers } from '../../src/processes/group.ts'
import { readLeader } from '../../src/runs/wrapper.ts'
import { appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import { clockwork } from '../helpers/sample.ts'
import { WAITS, isGone, numberIn } from '../helpers/run-cards.ts'
import { ENGINES, SURFACE_ENGINES } from '../helpers/stores.ts'
import { fenceOf, processes } from './live-runs.ts'

describe.each(ENGINES)('runs from start to end (%s)', (engine) => {
  test('a card runs, and then a card that depends on it runs', async () => {
    const home = makeTestHome(engine)
    const first = await home.create('A', '--assignee', 'shell', '--body', 'echo "made in $MUSTER_TASK" | tee out.txt')
    const second = await home.create(
      'B',
      '--assignee',
      'shell',
      '--parent',
      first.id,
      '--body',
      'echo "$MUSTER_PARENTS"',
    )
    expect([first.status, second.status]).toEqual(['ready', 'todo'])

    const one = await home.dispatch('--wait')
    expect(one.started).toMatchObject([{ id: first.id, agent: 'shell', attempt: 1 }])
    expect(one.settled).toMatchObject([{ id: first.id, outcome: 'completed', status: 'done' }])
    expect(readFileSync(home.workspace(first.id, 'out.txt'), 'utf8')).toBe(`made in ${first.id}\n`)

    const two = await home.dispatch('--wait')
    expect(two.settled).toMatchObject([{ id: second.id, outcome: 'completed', status: 'done' }])
    const shown = await home.show(second.id)
    expect(shown.runs).toMatchObject([{ attempt: 1, outcome: 'completed', exitCode: 0 }])
    expect(taskDetails.safeParse(shown).error).toBeUndefined()
    expect(JSON.stringify(shown)).not.toMatch(/token/i)
    expect(JSON.parse(shown.result ?? '')).toEqual([
      {
        id: first.id,
        title: 'A',
        workspace: home.workspace(first.id, '.').replace(/\/\.?$/, ''),
        artifacts: [],
        summary: `made in ${first.id}`,
      },
    ])
    expect((await home.dispatch()).started).toEqual([])
  })
})

describe.each(SURFACE_ENGINES)('runs that are lost (%s)', (engine) => {
  test('the next pass settles a lost run by its exit file', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('waits', '--assignee', 'shell', '--body', `${WAITS}; echo finished by itself`)
    await home.dispatch()
    const { run, supervisor, directory } = await home.liveRun(card.id)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))

    process.kill(supervisor, 'SIGSTOP')
    writeFileSync(home.workspace(card.id, 'go'), '')
    await home.until('the wrapper has written the exit file', () => appeared(directory.exit))
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))

    const report = await home.dispatch()
    expect(report.settled).toMatchObject([{ id: card.id, runId: run.id, outcome: 'completed', status: 'done' }])
    expect(report.interrupted).toEqual([])
    const shown = await home.show(card.id)
    expect(shown).toMatchObject({ status: 'done', consecutiveFailures: 0, result: 'begun\nfinished by itself' })
    expect(shown.runs).toMatchObject([{ attempt: 1, outcome: 'completed', exitCode: 0, signal: null }])
  })

  test('the agent of a killed supervisor is ended, and the card runs again', async () => {
    const home = makeTestHome(engine)
    // The first attempt hangs. It has one child in its group and one daemon in its own session.
    const daemon = `(setsid sh -c 'echo $$ >daemon; exec sleep 600' &)`
    const body = `echo try >>tries; [ "$(wc -l <tries)" -gt 1 ] || { ${daemon}; sleep 600 & ${WAITS}; }; echo again`
    const card = await home.create('hangs', '--assignee', 'shell', '--body', body)
    await home.dispatch()
    const { run, supervisor, directory } = await home.liveRun(card.id)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))
    const daemonPid = await home.until('the daemon has begun', () => numberIn(home.workspace(card.id, 'daemon')))
    const key = { run: run.id, leader: await readLeader(directory, fenceOf(run)) }
    expect(groupMembers(processes, key).length).toBeGreaterThanOrEqual(4)

    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    const report = await home.dispatch('--wait')

    expect(groupMembers(processes, key)).toEqual([])
    expect(isGone(daemonPid)).toBe(true)
    expect(report.interrupted).toMatchObject([{ id: card.id, runId: run.id, status: 'ready' }])
    expect(report.started).toMatchObject([{ id: card.id, attempt: 2 }])
    const shown = await home.show(card.id)
    expect(shown).toMatchObject({ status: 'done', consecutiveFailures: 0, result: 'again' })
    expect(shown.runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  })

  test('a run is interrupted if its dispatcher dies while ending the agent', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('ended', '--assignee', 'shell', '--body', WAITS)
    await home.dispatch()
    const { run, supervisor, directory } = await home.liveRun(card.id)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))
    const wrapper = await home.until('the wrapper is known', () => readLeader(directory, fenceOf(run)))
    process.kill(supervisor, 'SIGKILL')
    await home.until('the supervisor is dead', () => !isLiving(run))
    const input = { task: card.id, fence: fenceOf(run), reason: 'interrupted' }
    await (await home.store()).decide({ verb: 'terminating', board: 'default', actor: clockwork, input })
    process.kill(-wrapper.pid, 'SIGTERM')
    await home.until('the wrapper has written the exit file', () => appeared(directory.exit))

    home.env['MUSTER_MACHINE_CAP'] = '1'
    expect((await home.dispatch()).interrupted).toMatchObject([
      { id: card.id, outcome: 'interrupted', status: 'ready' },
    ])
    expect(await home.show(card.id)).toMatchObject({ consecutiveFailures: 0 })
  })
})

// These tests do not depend on the engine.
describe('outcomes of runs', () => {
  test('two failures open the breaker, with the last output as the reason', async () => {
    const home = makeTestHome('sqlite')
    const card = await home.create('fails', '--assignee', 'shell', '--body', 'echo "no such luck" >&2; exit 3')
    await home.setBoard({ retryBaseMs: 1 })
    expect((await home.dispatch('--wait')).settled).toMatchObject([{ outcome: 'crashed', status: 'ready' }])
    expect((await home.dispatch('--wait')).settled).toMatchObject([{ outcome: 'crashed', status: 'blocked' }])
    const shown = await home.show(card.id)
    expect(shown).toMatchObject({ status: 'blocked', blockKind: 'breaker', breakerOpen: true, consecutiveFailures: 2 })
    expect(shown.blockReason).toContain('exit 3: no such luck')
    expect((await home.dispatch()).started).toEqual([])
  })

  test('a run that exceeds its time limit is ended and counts as a failure', async () => {
    const home = makeTestHome('sqlite')
    const body = 'trap "" TERM; echo deaf; while :; do sleep 0.1; done'
    const card = await home.create('deaf', '--assignee', 'shell', '--max-runtime', '2s', '--body', body)
    expect((await home.dispatch('--wait')).settled).toMatchObject([{ id: card.id, outcome: 'timed_out' }])
    const shown = await home.show(card.id)
    expect(shown.consecutiveFailures).toBe(1)
    expect(shown.events.map(({ kind }) => kind)).toEqual([
      'created',
      'claimed',
      'scratch_explained',
      'spawned',
      'terminating',
      'timed_out',
    ])
  })

  test('processes that an agent leaves are ended before the card is done', async () => {
    const home = makeTestHome('sqlite')
    const card = await home.create('leaves', '--assignee', 'shell', '--body', 'sleep 600 & echo $! >pid; echo left')
    expect((await home.dispatch('--wait')).settled).toMatchObject([{ id: card.id, outcome: 'completed' }])
    expect(isGone(numberIn(home.workspace(card.id, 'pid')))).toBe(true)
  })

  test('a person completes a card while its agent works', async () => {
    const home = makeTestHome('sqlite')
    const card = await home.create('long', '--assignee', 'shell', '--body', `${WAITS}; echo never`)
    await home.dispatch()
    const { run } = await home.liveRun(card.id)
    await home.until('the agent has begun', () => appeared(home.workspace(card.id, 'begun')))
    const { code, stdout } = await home.muster('complete', card.id, '--summary', 'done by hand', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([
      { id: card.id, ok: true, task: { status: 'done', result: 'done by hand' } },
    ])
    await home.until('the supervisor is gone', () => !isLiving(run))
    expect((await home.show(card.id)).runs).toMatchObject([{ outcome: 'completed', summary: 'done by hand' }])
  })

  test('cards over the machine cap wait and report the cap', async () => {
    const home = makeTestHome('sqlite')
    const cards = []
    for (const title of ['a', 'b', 'c']) cards.push(await home.create(title, '--assignee', 'shell', '--body', WAITS))
    home.env['MUSTER_MACHINE_CAP'] = '2'
    const report = await home.dispatch()
    expect(report.started.map(({ id }) => id)).toEqual(cards.slice(0, 2).map(({ id }) => id))
    expect(report.capped).toEqual([
      { id: cards[2]?.id, agent: 'shell', phase: 'work', cap: 'machine', used: 2, limit: 2 },
    ])
  })

  test('each reason not to start is reported separately (scenario 50)', async () => {
    const home = makeTestHome('sqlite')
    const alone = await home.create('alone')
    const unknown = await home.create('unknown', '--assignee', 'nobody-here', '--body', 'true')
    const empty = await home.create('empty', '--assignee', 'shell')
    const report = await home.dispatch()
    expect(report.unassigned).toEqual([alone.id])
    expect(report.deferred.map(({ id }) => id).toSorted()).toEqual([unknown.id, empty.id].toSorted())
    expect(report.deferred.find(({ id }) => id === unknown.id)?.reason).toContain('No agent is called nobody-here')
    expect(report.unknownAgent).toEqual([{ id: unknown.id, agent: 'nobody-here' }])
    expect(report.started).toEqual([])
  })

  test('a dry run reports what would start and writes nothing (scenario 47)', async () => {
    const home = makeTestHome('sqlite')
    const card = await home.create('dry', '--assignee', 'shell', '--body', 'true')
    const before = await (await home.store()).exportAll()
    expect((await home.dispatch('--dry-run')).started).toMatchObject([{ id: card.id, runId: null }])
    expect(await (await home.store()).exportAll()).toEqual(before)
    expect(readdirSync(home.home)).not.toContain('runs')
  })
})
