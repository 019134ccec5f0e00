// Tests verdicts of agents in real runs, through the board tools and the official client.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { untilStatus } from '../helpers/run-cards.ts'

const PLAYS = join(import.meta.dirname, '..', 'fixtures', 'agents', 'plays.mjs')

type Step = readonly [string, ...unknown[]]

interface Called {
  readonly turn: number
  readonly called: string
  readonly isError: boolean
  readonly text: string
}

/** Runs cards in parallel whose agents follow these steps in each turn. Returns a function that waits for a card. */
async function play(parts: Readonly<Record<string, { turns: readonly (readonly Step[])[]; check?: string }>>) {
  const home: TestHome = makeTestHome('sqlite')
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  writeFileSync(
    join(home.home, 'agents', 'player.md'),
    `---\nharness: command\nonExit: verdict\nargs: [${PLAYS}, "{mcp}", "{turn}", "{body}"]\n---\nPlay.\n`,
  )
  const ids = new Map<string, TaskId>()
  for (const [title, { turns, check }] of Object.entries(parts)) {
    const flags = check === undefined ? [] : ['--check', check]
    const { id } = await home.create(title, '--assignee', 'player', '--body', JSON.stringify(turns), ...flags)
    ids.set(title, id)
  }
  await home.dispatch()
  return async (title: string) => {
    const id = ids.get(title) ?? ('' as TaskId)
    await untilStatus(home, id, 'done', 120_000)
    const card = await home.show(id)
    const calls = readFileSync(card.runs.at(-1)?.logPath ?? '', 'utf8')
      .split('\n')
      .filter((line) => line.includes('"called"'))
      .map((line) => JSON.parse(line) as Called)
    return { card, calls }
  }
}

const complete = (summary: string): Step => ['call', 'kanban_complete', { summary }]

test('cards are done despite failed or slow checks, repeats or reminders', { timeout: 180_000 }, async () => {
  const resultOf = await play({
    fixes: {
      turns: [[complete('too early'), ['write', 'good'], complete('fixed')]],
      check: 'echo looking; test -f good',
    },
    // This check takes longer than a tool waits for checks, which is 17 s.
    slow: { turns: [[complete('slow but sure')]], check: 'sleep 25' },
    twice: { turns: [[complete('once'), complete('once more')]], check: 'true' },
    silent: { turns: [[], [complete('asked')]] },
  })
  const onlyRun = [{ outcome: 'completed', attempt: 1 }]

  const fixes = await resultOf('fixes')
  expect(fixes.card).toMatchObject({ status: 'done', result: 'fixed', runs: onlyRun })
  expect(fixes.calls).toMatchObject([
    { turn: 1, isError: true, text: expect.stringMatching(/2 tries are left[^]*looking/) },
    { turn: 1, isError: false, text: expect.stringContaining('its checks passed') },
  ])

  const twice = await resultOf('twice')
  expect(twice.calls.map(({ isError }) => isError)).toEqual([false, false])
  expect(twice.card).toMatchObject({ status: 'done', result: 'once more', runs: onlyRun })
  expect(twice.card.events.filter(({ kind }) => kind === 'completed')).toHaveLength(1)

  const silent = await resultOf('silent')
  expect(silent.calls).toMatchObject([{ turn: 2, called: 'kanban_complete', isError: false }])
  expect(silent.card).toMatchObject({ status: 'done', result: 'asked', runs: onlyRun })
  expect(silent.card.events.filter(({ kind }) => kind === 'turn_started')).toHaveLength(1)

  const slow = await resultOf('slow')
  expect(slow.calls).toMatchObject([{ isError: false, text: expect.stringContaining('checking. End your turn') }])
  expect(slow.card).toMatchObject({ status: 'done', result: 'slow but sure', runs: onlyRun })
})
