// Tests the claim of a person through the real binary: claim, heartbeat, reclaim, and a race for one card.
import { describe, expect, test } from 'vitest'
import { claimTask } from '../../../src/operations/runs/claim-task.ts'
import { answerOf, refusalOf, taskOf, tasksOf } from '../../helpers/answers.ts'
import { makeCommandHome } from '../../helpers/cli.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'
import { strictOutput } from '../../helpers/strict-output.ts'

const claimed = await strictOutput(claimTask)

describe.each(SURFACE_ENGINES)('manual claims (%s)', (engine) => {
  test('a person claims a card, sends a heartbeat, reclaims and completes it', async () => {
    const home = makeCommandHome(engine)
    const { id } = await home.create('A')
    const { task, run } = await answerOf(home, claimed, 'claim', id)
    expect(task).toMatchObject({ id, status: 'running', currentRunId: run.id })
    expect(run).toMatchObject({ taskId: id, kind: 'manual', claimedBy: 'tester', attempt: 1 })
    expect(run).not.toHaveProperty('tokenHash')

    expect(await taskOf(home, 'heartbeat', id, '--note', 'half of it')).toMatchObject({ id, status: 'running' })
    const shown = await home.show(id)
    expect(shown.runs).toMatchObject([{ note: 'half of it', lastActivityAt: expect.any(Number) }])
    expect(shown.events.at(-1)).toMatchObject({ kind: 'heartbeat', data: { note: 'half of it' } })
    home.env['MUSTER_USER'] = 'bob'
    expect(await refusalOf(home, 'heartbeat', id)).toMatchObject({
      exit: 4,
      message: `Card ${id} is claimed by tester, not by you.`,
    })
    home.env['MUSTER_USER'] = 'tester'

    expect(await tasksOf(home, 'reclaim', id)).toMatchObject([{ status: 'ready', currentRunId: null }])
    expect(await refusalOf(home, 'heartbeat', id)).toMatchObject({ exit: 1, code: 'wrong_status' })
    const { stdout, stderr } = await home.muster('claim', id)
    expect(stdout).toMatch(new RegExp(`^Claimed ${id} as r_[0-9a-z]{10}  \\(attempt 2\\)\n$`))
    expect(stderr).toContain(`muster complete ${id}`)
    expect(await tasksOf(home, 'complete', id, '--summary', 'did it')).toMatchObject([{ status: 'done' }])
    expect((await home.show(id)).runs).toMatchObject([{ outcome: 'reclaimed' }, { outcome: 'completed' }])
  })

  test('a card with an open parent cannot be claimed', async () => {
    const home = makeCommandHome(engine)
    const parent = await home.create('A')
    const child = await home.create('B', '--parent', parent.id)
    expect(await refusalOf(home, 'claim', child.id)).toMatchObject({ exit: 1, code: 'parents_open' })
  })

  test('one of eight racing claims wins, and the others name the winner', async () => {
    const home = makeCommandHome(engine)
    const { id } = await home.create('A')
    const users = ['ada', 'bob', 'cy', 'dee', 'eve', 'fay', 'gus', 'hal']
    const racers = users.map((user) => home.start(['claim', id, '--json'], { env: { MUSTER_USER: user } }))
    const results = await Promise.all(racers.map(({ ended }) => ended))

    expect(results.map(({ code }) => Number(code)).toSorted((a, b) => a - b)).toEqual([0, 4, 4, 4, 4, 4, 4, 4])
    const winner = results.find(({ code }) => code === 0)
    const { run } = claimed.parse(JSON.parse(winner?.stdout ?? ''))
    for (const { stdout, stderr } of results.filter(({ code }) => code === 4)) {
      expect(stdout).toBe('')
      expect(JSON.parse(stderr)).toMatchObject({
        error: {
          code: 'claim_lost',
          message: `Card ${id} is already running as ${run.id} by ${run.claimedBy}.`,
          details: { currentRunId: run.id, by: run.claimedBy },
        },
      })
    }
    expect((await home.show(id)).runs).toHaveLength(1)
  })
})
