// Verdicts as agents give them: through the tools of the board, with the official client, from a real run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'

const PLAYS = join(import.meta.dirname, '..', 'fixtures', 'agents', 'plays.mjs')

type Step = readonly [string, ...unknown[]]

interface Called {
  readonly turn: number
  readonly called: string
  readonly isError: boolean
  readonly text: string
  readonly tookMs: number
}

/** A card whose agent does in each turn what it is told here; what became of it, and what its tools answered. */
async function play(turns: readonly (readonly Step[])[], ...flags: string[]) {
  const home: TestHome = makeTestHome('sqlite')
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  writeFileSync(
    join(home.home, 'agents', 'player.md'),
    `---\nharness: command\nonExit: verdict\nargs: [${PLAYS}, "{mcp}", "{turn}", "{body}"]\n---\nPlay.\n`,
  )
  const { id } = await home.create('played', '--assignee', 'player', '--body', JSON.stringify(turns), ...flags)
  await home.dispatch('--wait')
  const card = await home.show(id)
  const calls = readFileSync(card.runs.at(-1)?.logPath ?? '', 'utf8')
    .split('\n')
    .filter((line) => line.includes('"called"'))
    .map((line) => JSON.parse(line) as Called)
  return { card, calls }
}

const complete = (summary: string): Step => ['call', 'kanban_complete', { summary }]

test.concurrent('a check that fails is told to the agent, which mends it and passes in the same turn', async () => {
  const { card, calls } = await play(
    [[complete('too early'), ['write', 'good'], complete('mended')]],
    '--check',
    'echo looking; test -f good',
  )
  expect(card).toMatchObject({ status: 'done', result: 'mended' })
  expect(card.runs).toMatchObject([{ outcome: 'completed', attempt: 1 }])
  expect(calls).toMatchObject([
    { turn: 1, isError: true, text: expect.stringMatching(/2 tries are left[^]*looking/) },
    { turn: 1, isError: false, text: expect.stringContaining('its checks passed') },
  ])
})

test.concurrent(
  'a suite of 40 seconds is answered within 20: end your turn; and settles the card when it has passed',
  { timeout: 120_000 },
  async () => {
    const { card, calls } = await play([[complete('slow but sure')]], '--check', 'sleep 40')
    expect(calls).toMatchObject([{ isError: false, text: expect.stringContaining('checking. End your turn') }])
    expect(calls[0]?.tookMs).toBeLessThan(20_000)
    expect(card).toMatchObject({ status: 'done', result: 'slow but sure' })
    expect(card.runs).toMatchObject([{ outcome: 'completed', attempt: 1 }])
  },
)

test.concurrent('who completes twice has completed once, and the later words count', async () => {
  const { card, calls } = await play([[complete('once'), complete('once more')]], '--check', 'echo x >> ../suites')
  expect(calls.map(({ isError }) => isError)).toEqual([false, false])
  expect(card).toMatchObject({ status: 'done', result: 'once more' })
  expect(card.events.filter(({ kind }) => kind === 'completed')).toHaveLength(1)
})

test.concurrent('who ends its turn without a word answers when it is asked for it', async () => {
  const { card, calls } = await play([[], [complete('asked')]])
  expect(calls).toMatchObject([{ turn: 2, called: 'kanban_complete', isError: false }])
  expect(card).toMatchObject({ status: 'done', result: 'asked' })
  expect(card.runs).toMatchObject([{ outcome: 'completed', attempt: 1 }])
  expect(card.events.filter(({ kind }) => kind === 'turn_started')).toHaveLength(1)
})
