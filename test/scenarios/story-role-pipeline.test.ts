// Three roles work one after the other, and the second needs a person. Stories: docs/contributing/scenarios.md.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { Run } from '../../src/core/run.ts'
import { makeTestHome } from '../helpers/cli.ts'
import { byAttempt, finishRun, playRun, writePlayedAgents } from '../helpers/played-agent.ts'
import type { PlayedRun } from '../helpers/played-agent.ts'
import { untilStatus } from '../helpers/run-cards.ts'
import { serve } from '../helpers/served-home.ts'
import type { ServedHome } from '../helpers/served-home.ts'

const home = makeTestHome('sqlite', afterAll)
let board: ServedHome
let [spec, implement, review]: TaskId[] = []
let implementing: PlayedRun
let reviewing: PlayedRun

const CRITERIA = ['passwords are checked', 'weak ones are refused', 'the reason is shown']
const FINDINGS = 'Two findings: the meter accepts "password1", and no test covers it.'
const HAND_OVER = {
  summary: 'The meter uses zxcvbn.',
  metadata: { changed_files: ['meter.ts', 'meter.test.ts', 'form.tsx'], tests_run: 11, review_iteration: 2 },
}
const implementation = () => implement as TaskId

beforeAll(async () => {
  await home.runInline('init')
  writePlayedAgents(home, 'pm', 'backend-dev', 'reviewer')
  // A second attempt begins with an empty folder, so that its agent is not confused with the first.
  await home.setBoard({ retryKeepsFiles: false })
  const create = async (title: string, assignee: string, ...flags: string[]) =>
    (await home.create(title, '--assignee', assignee, ...flags)).id
  spec = await create('Specify the password meter', 'pm')
  implement = await create('Implement the password meter', 'backend-dev', '--parent', spec)
  review = await create('Review the password meter', 'reviewer', '--parent', implement)
  board = await serve(home)
})

test('the implementer reads the criteria of the specification', async () => {
  await finishRun(await playRun(home, spec as TaskId), {
    summary: 'Three criteria.',
    metadata: { acceptance: CRITERIA },
  })
  implementing = await playRun(home, implementation())
  for (const criterion of CRITERIA) expect(implementing.briefing).toContain(criterion)
  await board.expectCard(review as TaskId, { status: 'todo' })
})

test('further passes do not start a blocked card', async () => {
  const link = 'Draft: https://git.example/team/repo/pull/7'
  expect(await implementing.ask('comment', { body: link })).toHaveProperty('output')
  expect(await implementing.ask('block', { reason: FINDINGS })).toHaveProperty('output')
  await implementing.end()
  await untilStatus(home, implementation(), 'blocked')
  for (let pass = 0; pass < 10; pass += 1) {
    expect((await board.send('POST /api/dispatch')).status).toBe(200)
    await board.json('list')
  }
  const { runs } = await board.expectCard(implementation(), {
    status: 'blocked',
    blockReason: FINDINGS,
    blockedBy: 'agent:backend-dev',
    consecutiveFailures: 0,
    runs: [{ outcome: 'blocked', summary: FINDINGS }],
  })
  expect(runs).toHaveLength(1)
  await board.expectCard(review as TaskId, { status: 'todo' })
})

test('the next briefing contains a person’s comment and answer', async () => {
  await board.send(`POST /api/tasks/${implementation()}/comments`, { body: 'Use zxcvbn.' })
  expect(await board.send(`POST /api/tasks/${implementation()}/unblock`, {})).toMatchObject({
    status: 200,
    body: { consecutiveFailures: 0, blockReason: null },
  })
  // The pull request in the comment delays no attempt that a person asked for.
  implementing = await playRun(home, implementation())
  expect(implementing.briefing).toContain(FINDINGS)
  expect(implementing.briefing).toContain('Use zxcvbn.')
  const { events } = await board.expectCard(implementation(), { status: 'running', runs: [{}, { attempt: 2 }] })
  expect(events.map(({ kind }) => kind)).toContain('unblocked')
})

test('the reviewer reads the result of the last attempt', async () => {
  await finishRun(implementing, HAND_OVER)
  reviewing = await playRun(home, review as TaskId)
  const runs = await board.json<readonly Run[]>('runs', implementation())
  expect(byAttempt(runs).map(({ outcome }) => outcome)).toEqual(['blocked', 'completed'])
  expect(reviewing.briefing).toContain(HAND_OVER.summary)
  expect(reviewing.briefing).toContain('meter.test.ts')
  expect(reviewing.briefing).not.toContain(FINDINGS)
})

test('a worker cannot list a card that it did not create', async () => {
  const made = { summary: 'Approved.', createdCards: ['t_0000000000'] }
  expect(await reviewing.ask('complete', made)).toMatchObject({
    error: { code: 'phantom_cards', message: expect.stringContaining('t_0000000000') },
  })
  const { events } = await board.expectCard(review as TaskId, { status: 'running' })
  expect(events.find(({ kind }) => kind === 'completion_refused')?.data).toMatchObject({
    phantomCards: ['t_0000000000'],
  })
  await finishRun(reviewing, { summary: 'Approved.', createdCards: [] })
  await untilStatus(home, review as TaskId, 'done')
})

test('a reopened parent makes a child that has not started wait again', async () => {
  const { id: release } = await home.create('Release', '--assignee', 'pm', '--parent', implementation(), '--hold')
  await board.expectCard(release, { status: 'ready', held: true })
  expect((await board.send(`POST /api/tasks/${implementation()}/reopen`, {})).status).toBe(200)
  const { events } = await board.expectCard(release, { status: 'todo' })
  expect(events.findLast(({ kind }) => kind === 'demoted')?.data).toMatchObject({ cause: 'parent_reopened' })
})

test('a card that is blocked repeatedly goes to triage', async () => {
  const { id } = await home.create('Cycle', '--assignee', 'pm', '--hold')
  for (let block = 1; block <= 4; block += 1) {
    await board.send(`POST /api/tasks/${id}/block`, { reason: 'Which colour?' })
    if (block === 4) break
    await board.expectCard(id, { status: 'blocked' })
    await board.json('unblock', id)
  }
  const { events } = await board.expectCard(id, { status: 'triage' })
  expect(events.findLast(({ kind }) => kind === 'block_loop_detected')?.data).toMatchObject({ recurrences: 4 })
})
