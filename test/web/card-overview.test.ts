import { expect, test } from 'vitest'
import { EDIT_FIELDS } from '../../src/core/card-fields.ts'
import { mergeEvents } from '../../web/src/card/history/event-days.ts'
import { firstPage, withEarlier, withNewest } from '../../web/src/card/comments/comment-list.ts'
import type { Comment } from '../../web/src/card/comments/comment-list.ts'
import { totalsOf } from '../../web/src/card/attempts/attempt-lines.ts'
import { diffBlocks } from '../../web/src/card/overview/diff-bars.ts'
import { FIELD_LIST, isEditable, lockOf, parseField, typedValue } from '../../web/src/card/fields/field-list.ts'
import type { FieldCard } from '../../web/src/card/fields/field-list.ts'
import { previewOf } from '../../web/src/card/files/file-kinds.ts'
import { checkReport } from '../../web/src/card/overview/check-rows.ts'
import { compareTexts } from '../../web/src/card/overview/compare-texts.ts'
import { isOvertaken, keepMine } from '../../web/src/card/overview/description-draft.ts'
import { handOffOf } from '../../web/src/card/overview/hand-off.ts'
import { reasonDetail } from '../../web/src/card/overview/reason-detail.ts'
import { tellingLines } from '../../web/src/card/overview/telling-lines.ts'

type HandOffRun = Parameters<typeof handOffOf>[0]['runs'][number]
const run = (more: Partial<HandOffRun> = {}): HandOffRun => ({
  phase: 'work',
  endedAt: 5,
  summary: null,
  metadata: null,
  agent: 'claude',
  claimedBy: 'muster:dispatcher',
  outcome: 'completed',
  error: null,
  ...more,
})

test('the page shows the latest hand-off, even from an earlier attempt', () => {
  const runs = [
    run({ summary: 'Done.' }),
    run({ outcome: 'crashed', summary: null }),
    run({ phase: 'review', summary: 'Fine' }),
  ]
  expect(handOffOf({ runs, result: null, metadata: { tests: 3 } })).toEqual({
    summary: 'Done.',
    result: null,
    metadata: { tests: 3 },
    by: 'claude',
    at: 5,
  })
  expect(handOffOf({ runs: [], result: null, metadata: null })).toBeNull()
})

const checked = (checks: Partial<NonNullable<Parameters<typeof checkReport>[0]['runs'][number]['checks']>>) => ({
  checks: { tries: 1, passedAt: null, contentHash: null, output: '', ...checks },
  endedAt: 9,
  changes: null,
})

test('each check has its own state and its part of the report', () => {
  const output = 'check failed: npm test (exit 1)\nError: boom\n\ncheck failed: npm run lint (exit 2)\nwarning'
  const runs = [checked({ output, passed: ['true'], ran: 3 })]
  const report = checkReport({ checks: ['npm test', 'true'], agentChecks: ['npm run lint'], runs }, null)
  expect(report.rows.map(({ state, fault, output: own }) => [state, fault, own])).toEqual([
    ['failed', 'exit 1', 'Error: boom'],
    ['passed', null, ''],
    ['failed', 'exit 2', 'warning'],
  ])
  expect(report).toMatchObject({ passed: 1, at: 9 })
})

test('checks that have not run have no time, even if a person added the check later', () => {
  expect(checkReport({ checks: ['true'], agentChecks: [], runs: [] }, null)).toMatchObject({ at: null, passed: 0 })
  const runs = [checked({ passedAt: 4, passed: ['true'] })]
  const { rows } = checkReport({ checks: ['true', 'new'], agentChecks: [], runs }, null)
  expect(rows.map(({ state }) => state)).toEqual(['passed', 'not_run'])
})

test('a long output is cut to its errors and its end', () => {
  const lines = Array.from({ length: 100 }, (_, at) => (at === 40 ? 'Error: expected 3' : `line ${at}`))
  expect(tellingLines(lines.join('\n'))).toEqual({
    lines: ['Error: expected 3', 'line 97', 'line 98', 'line 99'],
    hidden: 96,
  })
  expect(tellingLines('a\nb')).toEqual({ lines: ['a', 'b'], hidden: 0 })
})

test('two versions of a description are compared line by line', () => {
  expect(compareTexts('a\nb\nc', 'a\nx\nc')).toEqual([
    { is: 'same', text: 'a' },
    { is: 'removed', text: 'b' },
    { is: 'added', text: 'x' },
    { is: 'same', text: 'c' },
  ])
  expect(compareTexts('x\n'.repeat(3_000), '')).toBeNull()
})

test('a draft is out of date only if the stored description has changed', () => {
  const draft = { text: 'mine', base: 'old' }
  expect(isOvertaken(draft, 'old')).toBe(false)
  expect(isOvertaken(draft, 'mine')).toBe(false)
  expect(isOvertaken(draft, 'theirs')).toBe(true)
  expect(isOvertaken(keepMine(draft, 'theirs'), 'theirs')).toBe(false)
})

test('a reason names its parents, and the text of a question is shown once', () => {
  const parents = [{ id: 't_1', title: 'First', status: 'ready' }]
  expect(reasonDetail({ code: 'parents_open', params: { count: 1, parents } }).cards).toEqual([
    { id: 't_1', title: 'First' },
  ])
  expect(reasonDetail({ code: 'blocked', params: { kind: 'needs_input', reason: 'Why?' } }).text).toBeNull()
  expect(reasonDetail({ code: 'breaker_open', params: { failures: 2, error: 'exit 3', reason: null } }).text).toBe(
    'exit 3',
  )
})

test('the blocks of a changed file show its size and the share of added lines', () => {
  const drawn = (added: number, removed: number) =>
    diffBlocks(added, removed)
      .map((block) => ({ added: '+', removed: '-', none: '.' })[block])
      .join('')
  expect([drawn(88, 0), drawn(41, 19), drawn(1, 0), drawn(0, 9), drawn(1, 500), drawn(0, 0)]).toEqual([
    '+++++',
    '+++--',
    '+....',
    '-....',
    '+----',
    '.....',
  ])
})

const fields: FieldCard = {
  status: 'ready',
  assignee: 'claude',
  reviewer: null,
  priority: 2,
  labels: ['a', 'b'],
  workspace: {
    kind: 'worktree',
    path: null,
    repo: '/srv/shop',
    state: 'none',
    base: null,
    baseBranch: null,
    machine: null,
    host: null,
    owner: null,
    sweeper: null,
  },
  branch: null,
  base: null,
  checks: ['npm test'],
  goal: null,
  scheduledAt: null,
  tenant: null,
  skills: null,
  model: null,
  provider: null,
  effort: null,
  maxRuntimeMs: 5_400_000,
  maxRetries: null,
  session: null,
  workflow: null,
  step: null,
}

test('the card page has every field that core lets a person edit', () => {
  // The title and the description are not in the list, because they have editors of their own.
  expect(EDIT_FIELDS.filter((name) => !isEditable(name))).toEqual(['title', 'body'])
})

test('the shown text of an unchanged value is parsed to the same value', () => {
  const names = FIELD_LIST.filter((field) => field !== 'scheduledAt' && field !== 'workspace')
  const changes = names.map((name) => parseField(name, typedValue(name, fields)))
  expect(changes).toEqual(names.map((name) => ({ change: { [name]: fields[name] } })))
  const workspace = parseField('workspace', typedValue('workspace', fields))
  expect(workspace).toEqual({ change: { workspace: { kind: 'worktree', path: null, repo: '/srv/shop' } } })
})

test('a goal is typed as its judge and its number of turns', () => {
  const stored = { ...fields, goal: { judge: null, maxTurns: null } }
  expect([typedValue('goal', fields), typedValue('goal', stored)]).toEqual(['none', 'model 20'])
  expect(parseField('goal', 'checks 5')).toEqual({ change: { goal: { judge: 'checks', maxTurns: 5 } } })
  expect([parseField('goal', 'model '), parseField('goal', 'model 201')]).toEqual([
    { fault: 'faultTurns' },
    { fault: 'faultTurns' },
  ])
  expect([lockOf('goal', { ...fields, status: 'running' }), lockOf('goal', { ...stored, status: 'running' })]).toEqual([
    'lockRunning',
    null,
  ])
})

test('an invalid value is refused before the request', () => {
  expect(parseField('priority', 'high')).toEqual({ fault: 'faultWhole' })
  expect(parseField('maxRetries', '0')).toEqual({ fault: 'faultCount' })
  expect(parseField('maxRuntimeMs', 'soon')).toEqual({ fault: 'faultDuration' })
  expect(parseField('workspace', 'dir:shop')).toEqual({ fault: 'faultPath' })
})

test('a card with a worktree keeps its branch, and a card with files keeps its workspace', () => {
  const made = { ...fields, workspace: { ...fields.workspace, state: 'live' as const, base: 'c0ffee' } }
  expect([lockOf('branch', fields), lockOf('branch', made), lockOf('workspace', made)]).toEqual([
    null,
    'lockWorktree',
    'lockFiles',
  ])
})

test('an image with scripts is shown as text, and an unknown file is not shown', () => {
  const file = (filename: string, contentType: string | null, size = 10) => previewOf({ filename, contentType, size })
  expect([file('a.png', 'image/png'), file('a.svg', 'image/svg+xml'), file('a.bin', null)]).toEqual([
    'image',
    'text',
    null,
  ])
  expect(file('huge.png', 'image/png', 900_000_000)).toBeNull()
})

const comment = (id: string): Comment => ({
  board: 'default',
  id,
  taskId: 't_1',
  author: 'ada',
  runId: null,
  body: id,
  createdAt: 1,
  answerTo: null,
})
const page = (earlierComments: number, ...ids: string[]) => ({ comments: ids.map(comment), earlierComments })
const idsOf = ({ shown }: ReturnType<typeof firstPage>) => shown.map(({ id }) => id)

test('comments that leave the newest page stay in the list', () => {
  const list = withEarlier(firstPage(page(2, 'c', 'd')), page(0, 'a', 'b'))
  const next = withNewest(list, page(3, 'd', 'e'))
  expect([idsOf(next), next.earlier]).toEqual([['a', 'b', 'c', 'd', 'e'], 0])
  expect(idsOf(withNewest(next, page(9, 'x', 'y')))).toEqual(['x', 'y'])
})

test('events that leave the newest page stay in the list', () => {
  const known = [{ id: 1 }, { id: 2 }, { id: 3 }]
  expect(mergeEvents(known, [{ id: 3 }, { id: 4 }])).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
  expect(mergeEvents(known, [{ id: 8 }])).toEqual([{ id: 8 }])
})

test('totals add up the attempts that report a figure', () => {
  const runs = [
    { startedAt: 0, endedAt: 10, usage: { costUsd: 0.5, inputTokens: 4, outputTokens: null } },
    { startedAt: 20, endedAt: null, usage: null },
  ] as unknown as Parameters<typeof totalsOf>[0]['runs']
  expect(totalsOf({ runs })).toEqual({ attempts: 2, costUsd: 0.5, inputTokens: 4, outputTokens: null, durationMs: 10 })
})
