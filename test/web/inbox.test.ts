import { describe, expect, test } from 'vitest'
import type { InboxItem } from '../../web/src/api/queries.ts'
import { knownOf, newItems, noticeOf } from '../../web/src/app/notices.ts'
import { visibleText } from '../../web/src/cards/visible-text.ts'
import { filtersToShow, readFilter } from '../../web/src/inbox/filters.ts'
import { lastError } from '../../web/src/inbox/last-error.ts'
import { outcomeOf } from '../../web/src/inbox/outcome.ts'
import { splitQuestion } from '../../web/src/inbox/question-text.ts'
import { currentOf, nextAfter, stepFrom } from '../../web/src/inbox/queue.ts'
import { alikeOf, commandLines } from '../../web/src/inbox/similar.ts'
import { fromLocalInput, snoozeChoices, toLocalInput } from '../../web/src/inbox/snooze-times.ts'

type Commands = NonNullable<InboxItem['commands']>

const commands = (more: Partial<Commands> = {}): Commands => ({
  body: 'echo hi',
  checks: [],
  directory: null,
  agent: { name: 'shell', harness: 'shell', permissions: 'full' },
  hash: 'h',
  isCut: false,
  createdBy: 'agent:claude',
  createdByRun: null,
  bodyBy: 'agent:claude',
  runsAs: { user: 'ada', host: 'desk' },
  ...more,
})

const item = (id: string, more: Partial<InboxItem> = {}): InboxItem => ({
  id,
  kind: 'question',
  board: 'default',
  task: { id: `t_${id}`, title: `Card ${id}`, status: 'blocked', assignee: null, priority: 0, tenant: null },
  account: null,
  since: 1,
  reason: null,
  question: null,
  remedies: [],
  work: null,
  spent: null,
  waitedFor: 0,
  commands: null,
  landing: null,
  steps: [],
  otherReasons: [],
  logIn: null,
  agents: [],
  hidden: null,
  ...more,
})

describe('the filters', () => {
  test('the inbox shows the filters with items, and the current filter', () => {
    const waiting = { count: 3, isExact: true, byKind: { review: 2, triage: 1 } }
    expect(filtersToShow(waiting, 'approval').map(({ filter, count }) => [filter, count])).toEqual([
      ['all', 3],
      ['approval', 0],
      ['review', 2],
      ['triage', 1],
      ['hidden', null],
    ])
  })

  test('filters show no counts until they are known, and a wrong URL shows all items', () => {
    expect(filtersToShow(undefined, 'all')).toEqual([
      { filter: 'all', count: null, isCut: false },
      { filter: 'hidden', count: null, isCut: false },
    ])
    const many = { count: 203, isExact: false, byKind: { review: 3, triage: 200 } }
    expect(filtersToShow(many, 'all').map(({ isCut }) => isCut)).toEqual([true, false, true, false])
    expect([readFilter('nonsense'), readFilter(null), readFilter('hidden')]).toEqual(['all', 'all', 'hidden'])
  })
})

describe('the current item', () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id }))

  test('the current item is the item in the URL, or else its successor', () => {
    expect(currentOf(items, 'b', 0)?.id).toBe('b')
    expect(currentOf(items, 'gone', 1)?.id).toBe('b')
    expect(currentOf(items, 'gone', 9)?.id).toBe('c')
    expect(currentOf([], 'gone', 1)).toBeNull()
  })

  test('the current item moves by one and stops at the ends', () => {
    expect(stepFrom(items, 'a', 1)?.id).toBe('b')
    expect(stepFrom(items, 'a', -1)?.id).toBe('a')
    expect(stepFrom(items, 'c', 1)?.id).toBe('c')
    expect(stepFrom(items, null, 1)?.id).toBe('a')
  })

  test('after items leave, the next remaining item becomes current', () => {
    expect(nextAfter(items, ['b'])?.id).toBe('c')
    expect(nextAfter(items, ['c'])?.id).toBe('b')
    expect(nextAfter(items, ['a', 'b'])?.id).toBe('c')
    expect(nextAfter(items, ['a', 'b', 'c'])).toBeNull()
  })
})

describe('snoozing', () => {
  // A Thursday.
  const now = new Date(2026, 10, 19, 14, 0).getTime()
  const timesAt = (time: number) =>
    Object.fromEntries(snoozeChoices(time).map(({ key, until }) => [key, toLocalInput(until)]))

  test('snoozing offers an hour, the evening, tomorrow and Monday', () => {
    expect(timesAt(now)).toEqual({
      hour: '2026-11-19T15:00',
      tonight: '2026-11-19T20:00',
      tomorrow: '2026-11-20T09:00',
      week: '2026-11-23T09:00',
    })
  })

  test('snoozing offers no evening shortly before the evening, and the next Monday on a Monday', () => {
    expect(timesAt(new Date(2026, 10, 23, 19, 30).getTime())).toEqual({
      hour: '2026-11-23T20:30',
      tomorrow: '2026-11-24T09:00',
      week: '2026-11-30T09:00',
    })
  })

  test('snoozing accepts only a time in the future', () => {
    expect(fromLocalInput('2026-11-20T08:30', now)).toBe(new Date(2026, 10, 20, 8, 30).getTime())
    expect([fromLocalInput('2026-11-18T08:30', now), fromLocalInput('', now)]).toEqual([null, null])
  })
})

describe('similar commands', () => {
  const asked = (id: string, more: Partial<Commands> = {}) => item(id, { kind: 'approval', commands: commands(more) })

  test('similar commands have the same author and text, or come from one run', () => {
    const first = asked('a', { createdByRun: 'r_1' })
    const others = [
      asked('same'),
      asked('other author', { bodyBy: 'agent:codex' }),
      asked('other folder', { directory: '/srv' }),
      asked('same run', { createdByRun: 'r_1', body: 'rm -rf build' }),
      item('question'),
    ]
    expect(alikeOf(first, [first, ...others]).map(({ id }) => id)).toEqual(['same', 'same run'])
  })

  test('commands that are too long to show whole are never approved together', () => {
    expect(alikeOf(asked('a'), [asked('b', { isCut: true })])).toEqual([])
  })

  test('similar commands are listed with the script and each check', () => {
    expect(commandLines(commands({ checks: ['npm test', 'npm run lint'] }))).toEqual([
      'echo hi',
      'npm test',
      'npm run lint',
    ])
  })

  test('listed commands show every character that could hide a part of the text', () => {
    expect(visibleText('rm\u202Etxt.\u200Bx\u0007\n\tend')).toBe('rm\\u{202e}txt.\\u{200b}x\\u{7}\n\tend')
    expect(visibleText('echo 안녕 "你好" 👋')).toBe('echo 안녕 "你好" 👋')
  })
})

test('a question has its first line or sentence as the title', () => {
  expect(splitQuestion('# Which `port`?\nThe old one is taken.')).toEqual({
    title: 'Which port?',
    text: 'The old one is taken.',
  })
  const long = `Should the service retry? ${'It fails now and then. '.repeat(20)}`
  expect(splitQuestion(long).title).toBe('Should the service retry?')
  const endless = splitQuestion('x'.repeat(400))
  expect([endless.title.length, endless.text.length]).toEqual([161, 400])
})

test('a failed card shows the end of its last error', () => {
  const reason = (error: string): InboxItem['reason'] => ({
    code: 'breaker_open',
    gate: 'blocked',
    params: { failures: 2, error, reason: null },
    until: null,
    remedies: [],
  })
  expect(lastError({ reason: reason('exit 3: no such table\n'), question: null })).toBe('exit 3: no such table')
  expect(lastError({ reason: reason('1\n2\n3\n4\n5\n6\n7'), question: null })).toBe('2\n3\n4\n5\n6\n7')
  expect(lastError({ reason: null, question: 'Gave up' })).toBe('Gave up')
  expect(lastError({ reason: null, question: null })).toBeNull()
})

test('each kind of item shows what happens after the answer', () => {
  expect(outcomeOf(item('a', { spent: { attempts: 2, costUsd: null, durationMs: 1 } }))).toEqual({
    is: 'answer',
    attempt: 3,
  })
  expect(outcomeOf(item('a', { kind: 'approval', commands: commands() }))).toEqual({
    is: 'approveCommands',
    user: 'ada',
    host: 'desk',
  })
  expect(outcomeOf({ ...item('a'), kind: 'wish' as InboxItem['kind'] })).toEqual({ is: 'other' })
})

describe('a notification', () => {
  test('a notification is about new items, or items that wait again', () => {
    const known = knownOf([item('a'), item('b')])
    const now = [item('a'), item('b', { since: 2 }), item('c')]
    expect(newItems(now, known).map(({ id }) => id)).toEqual(['b', 'c'])
    expect(newItems(now, knownOf(now, known))).toEqual([])
  })

  test('a notification names the first item and counts the other items', () => {
    const asks = item('a', { question: 'Which port?' })
    expect(noticeOf([asks, item('b'), item('c')], 'en')).toEqual({
      title: 'An agent asks',
      body: 'Which port?\nCard a and 2 more',
    })
    expect(noticeOf([item('x', { kind: 'wish' as InboxItem['kind'] })], 'en')?.title).toBe('Something needs you')
    expect(noticeOf([], 'en')).toBeNull()
  })
})
