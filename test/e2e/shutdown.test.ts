// Tests a logout or a stopped service, which signals the supervisor and its agent in any order.
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { appeared, isLiving, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { WAITS, isGone, numberIn, startUp, untilStatus } from '../helpers/run-cards.ts'
import { outcomesAndFailures, startWaitingCard } from './live-runs.ts'

type Begun = Awaited<ReturnType<typeof startWaitingCard>>

const LONG_GRACE = '60000'
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

/** Signals the wrapper and its whole group, as a service manager does. */
const signalAgent = ({ key }: Begun, signal: NodeJS.Signals): void => void process.kill(-key.leader.pid, signal)

const agentEnded = (home: TestHome, { directory }: Begun): Promise<true> =>
  home.until('the wrapper has written the exit file', () => appeared(directory.exit))

const INTERRUPTED = { outcomes: ['interrupted'], consecutiveFailures: 0 }

async function whenSettled(home: TestHome, id: TaskId): Promise<unknown> {
  await home.until('the run is over', async () => (await home.show(id)).status !== 'running')
  return outcomesAndFailures(home, id)
}

describe.each(SURFACE_ENGINES)('an orderly shutdown (%s)', (engine) => {
  test('a run is interrupted when the shutdown ends its agent first', async () => {
    const home = makeTestHome(engine)
    home.env['MUSTER_TERMINATE_GRACE_MS'] = LONG_GRACE
    const begun = await startWaitingCard(home, WAITS)
    signalAgent(begun, 'SIGTERM')
    await agentEnded(home, begun)
    process.kill(begun.supervisor, 'SIGTERM')
    expect(await whenSettled(home, begun.card.id)).toEqual(INTERRUPTED)
  })

  test('a shutdown never pauses an agent, whatever the order of its signals', async () => {
    const home = makeTestHome(engine)
    home.env['MUSTER_TERMINATE_GRACE_MS'] = LONG_GRACE
    await home.create('makes the board', '--assignee', 'nobody')
    await home.setBoard({ burstLimit: 2 })
    const runs: Begun[] = []
    for (const _ of SIGNALS) runs.push(await startWaitingCard(home, WAITS))
    for (const [at, begun] of runs.entries()) {
      const signal = SIGNALS[at] ?? 'SIGTERM'
      process.kill(begun.supervisor, signal)
      signalAgent(begun, signal)
    }
    for (const { card } of runs) expect(await whenSettled(home, card.id)).toEqual(INTERRUPTED)
    await home.dispatch('--max', '0')
    const slots = await (await home.store()).slots()
    expect(slots.filter(({ pausedAt }) => pausedAt !== null)).toEqual([])
  })
})

// These tests do not depend on the engine.
describe('endings that look like a shutdown', () => {
  test('a run is interrupted if its supervisor is killed before its agent', async () => {
    const home = makeTestHome('sqlite')
    const begun = await startWaitingCard(home, `[ -e begun ] || { ${WAITS}; }; echo done`)
    process.kill(begun.supervisor, 'SIGKILL')
    await home.until('the supervisor is gone', () => isGone(begun.supervisor))
    signalAgent(begun, 'SIGTERM')
    await agentEnded(home, begun)
    startUp(home)
    await untilStatus(home, begun.card.id, 'done')
    expect(await outcomesAndFailures(home, begun.card.id)).toEqual({
      outcomes: ['interrupted', 'completed'],
      consecutiveFailures: 0,
    })
  })

  test('a run counts as crashed when only its agent was signalled', async () => {
    const home = makeTestHome('sqlite')
    const begun = await startWaitingCard(home, WAITS)
    signalAgent(begun, 'SIGTERM')
    expect(await whenSettled(home, begun.card.id)).toEqual({ outcomes: ['crashed'], consecutiveFailures: 1 })
    expect((await home.show(begun.card.id)).lastError).toContain('killed by SIGTERM')
  })

  test('an agent killed for its memory counts as crashed despite a shutdown', async () => {
    const home = makeTestHome('sqlite')
    home.env['MUSTER_TERMINATE_GRACE_MS'] = LONG_GRACE
    const begun = await startWaitingCard(home, `${WAITS}; kill -s KILL $$`)
    writeFileSync(home.workspace(begun.card.id, 'go'), '')
    await agentEnded(home, begun)
    if (isLiving(begun.run)) process.kill(begun.supervisor, 'SIGTERM')
    expect(await whenSettled(home, begun.card.id)).toMatchObject({ outcomes: ['crashed'] })
  })

  test('a check ended by a shutdown does not count as a failure', async () => {
    const home = makeTestHome('sqlite')
    home.env['MUSTER_TERMINATE_GRACE_MS'] = LONG_GRACE
    const check = 'echo $$ >check.pid; while :; do sleep 0.1; done'
    const card = await home.create('checked', '--assignee', 'shell', '--body', 'echo work', '--check', check)
    await home.dispatch()
    const { supervisor } = await home.liveRun(card.id)
    await home.until('the check runs', () => appeared(home.workspace(card.id, 'check.pid')))
    const pid = await home.until('its pid is known', () => numberIn(home.workspace(card.id, 'check.pid')))
    process.kill(pid, 'SIGTERM')
    await home.until('the check is gone', () => isGone(pid))
    process.kill(supervisor, 'SIGTERM')
    expect(await whenSettled(home, card.id)).toEqual(INTERRUPTED)
  })
})
