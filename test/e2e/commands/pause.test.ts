// Tests pauses through the real binary: their effect on starts, their messages, and how they end.
import { describe, expect, test } from 'vitest'
import { listPauses } from '../../../src/operations/agents/list-pauses.ts'
import { pauseWork } from '../../../src/operations/agents/pause-work.ts'
import { resumeWork } from '../../../src/operations/agents/resume-work.ts'
import { answerOf, refusalOf } from '../../helpers/answers.ts'
import { makeCommandHome } from '../../helpers/cli.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'
import { strictOutput } from '../../helpers/strict-output.ts'

const { output: listed } = await listPauses.schemas()
const paused = await strictOutput(pauseWork)
const resumed = await strictOutput(resumeWork)

describe.each(SURFACE_ENGINES)('pause and resume (%s)', (engine) => {
  test('cards of a paused agent or board wait until it is resumed', async () => {
    const home = makeCommandHome(engine)
    const card = await home.create('waits', '--assignee', 'shell', '--body', 'echo ran')
    const words = ['--reason', 'lunch', '--until', '+2h']
    expect(await answerOf(home, paused, 'pause', 'agent', 'Shell', ...words)).toMatchObject({
      kind: 'agent',
      name: 'shell',
      by: 'tester',
      reason: 'lunch',
      known: true,
    })
    const board = await home.muster('pause')
    expect(board).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Paused board default by tester since /) })
    expect(board.stderr).toContain('muster resume board default')

    expect((await home.dispatch()).started).toEqual([])
    const why = await home.muster('why', card.id)
    expect(why.stdout).toContain('The agent shell is paused: lunch')
    expect(why.stdout).toContain('To start now: muster resume agent shell')
    expect(why.stdout).toContain('→ muster resume board default\n')
    const pauses = await answerOf(home, listed, 'pause', '--list')
    expect(pauses.map(({ kind, name }) => [kind, name])).toEqual([
      ['agent', 'shell'],
      ['board', 'default'],
    ])
    expect((pauses[0]?.until ?? 0) - (pauses[0]?.since ?? 0)).toBeGreaterThan(7_000_000)
    expect((await home.muster('pause', '--list')).stdout).toMatch(
      /^agent shell by tester since .* until .*: lunch\nboard /,
    )

    const open = { kind: 'board', name: 'default', wasPaused: true }
    expect(await answerOf(home, resumed, 'resume')).toEqual(open)
    expect(await answerOf(home, resumed, 'resume', 'board')).toEqual({ ...open, wasPaused: false })
    expect(await home.muster('resume', 'agent', 'shell')).toEqual({
      code: 0,
      stdout: 'Resumed agent shell\n',
      stderr: '',
    })
    expect((await home.dispatch('--wait')).started).toHaveLength(1)
    expect(await home.show(card.id)).toMatchObject({ status: 'done' })
    expect(await home.muster('pause', '--list')).toMatchObject({ stdout: '(nothing is paused)\n' })
  })

  test('an account stays paused until resumed, and invalid names are refused', async () => {
    const home = makeCommandHome(engine)
    await home.muster('init')
    const account = await home.muster('pause', 'account', 'work', '--reason', 'too expensive')
    expect(account.stderr).toContain('Warning: this machine has no account work.')
    expect(await answerOf(home, listed, 'pause', '--list')).toMatchObject([
      { kind: 'account', name: 'work', cause: 'person', by: 'tester', until: null, reason: 'too expensive' },
    ])
    expect(await answerOf(home, resumed, 'resume', 'account', 'work')).toMatchObject({ wasPaused: true })
    for (const [exit, ...argv] of [
      [3, 'resume', 'account', 'none'],
      [3, 'pause', 'board', 'none'],
      [2, 'pause', 'agent'],
      [2, 'pause', 'everything'],
      [2, 'pause', '--until', '2020-01-01'],
      [2, 'pause', 'agent', 'shell', '--list'],
    ] as const)
      expect([argv, (await refusalOf(home, ...argv)).exit]).toEqual([argv, exit])
    expect(await answerOf(home, listed, 'pause', '--list')).toEqual([])
  })
})
