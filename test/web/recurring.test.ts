import { expect, test } from 'vitest'
import { formatSlot, nextTimes, timesAfter } from '../../web/src/recurring/next-times.ts'
import { scheduleWords } from '../../web/src/recurring/schedule-words.ts'
import {
  addInput,
  draftOfSeries,
  editInput,
  emptyDraft,
  faultsOf,
  readSeriesDraft,
} from '../../web/src/recurring/series-draft.ts'
import type { SeriesDraft } from '../../web/src/recurring/series-draft.ts'
import type { SeriesView } from '../../web/src/recurring/queries.ts'

test.each([
  ['every 2h', 'Every 2 hours'],
  ['every 90m', 'Every 90 minutes'],
  ['every 1d', 'Every 24 hours'],
  ['weekdays 09:00', 'Weekdays at 09:00'],
  ['daily 7:30, 17:00', 'Every day at 07:30 and 17:00'],
  ['mon,thu 18:00', 'Every Monday and Thursday at 18:00'],
  ['weekends 10:00', 'Weekends at 10:00'],
  ['hourly', 'Every hour'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['30 * * * 1-5', 'Weekdays: every hour at :30'],
  ['0 7 1 * *', 'On day 1 of the month at 07:00'],
  ['0 7 1,15 * 1', 'On day 1 and 15 of the month, and every Monday at 07:00'],
  ['0 9 * jan *', 'Every day in January at 09:00'],
  ['0 8-17 * * *', 'Every day at 10 times, from 08:00 to 17:00'],
  ['soon', 'soon'],
])('the schedule %s reads as: %s', (schedule, words) => {
  expect(scheduleWords(schedule, 'en')).toBe(words)
})

test('schedules are described in every language', () => {
  expect(scheduleWords('weekdays 09:00', 'ko')).toBe('평일 09:00')
  expect(scheduleWords('every 2h', 'zh')).toBe('每 2 小时')
})

const NEXT = Date.UTC(2026, 2, 27, 8)

test('the next times follow the clocks of the time zone', () => {
  const series = { schedule: 'daily 09:00', timeZone: 'Europe/Berlin', nextAt: NEXT }
  expect(nextTimes(series, 4).map((at) => new Date(at).toISOString())).toEqual([
    '2026-03-27T08:00:00.000Z',
    '2026-03-28T08:00:00.000Z',
    '2026-03-29T07:00:00.000Z',
    '2026-03-30T07:00:00.000Z',
  ])
  expect(formatSlot('en', NEXT, 'Europe/Berlin')).toContain('09:00')
})

test('an interval counts from its next time, and a paused series has no times', () => {
  const series = { schedule: 'every 2h', timeZone: 'UTC', nextAt: NEXT }
  expect(nextTimes(series, 3)).toEqual([NEXT, NEXT + 7_200_000, NEXT + 14_400_000])
  expect(nextTimes({ ...series, nextAt: null }, 3)).toEqual([])
  expect(timesAfter({ schedule: 'soon', timeZone: 'UTC' }, NEXT, 3)).toEqual([])
  expect(timesAfter({ schedule: 'every 2h', timeZone: 'Mars/One' }, NEXT, 3)).toEqual([])
})

const draft = (more: Partial<SeriesDraft>): SeriesDraft => ({
  ...emptyDraft('UTC'),
  title: 'Report',
  schedule: 'daily 9:00',
  ...more,
})

test('mistakes in the form are found before the request', () => {
  expect(faultsOf(emptyDraft('UTC'))).toEqual({ title: 'faultTitle', schedule: 'faultSchedule' })
  expect(faultsOf(draft({ timeZone: 'Mars/One', priority: 'high', goal: 'checks' }))).toEqual({
    timeZone: 'faultZone',
    priority: 'faultPriority',
    goal: 'faultGoalChecks',
  })
  expect(faultsOf(draft({ workspace: 'dir', folder: 'shop', goal: 'model', goalTurns: '0' }))).toEqual({
    folder: 'faultFolder',
    goalTurns: 'faultTurns',
  })
  expect(faultsOf(draft({}))).toEqual({})
})

test('the form becomes the input of a new series', () => {
  const input = addInput(
    draft({ title: ' Report ', checks: 'npm test\n\n', workspace: 'worktree', folder: '/srv/shop', goal: 'model' }),
  )
  expect(input).toMatchObject({
    title: 'Report',
    body: null,
    assignee: null,
    checks: ['npm test'],
    workspace: { kind: 'worktree', path: null, repo: '/srv/shop' },
    goal: { judge: 'model' },
    priority: 0,
  })
})

const series = {
  schedule: 'daily 9:00',
  timeZone: 'UTC',
  skipIfRunning: true,
  title: 'Report',
  assignee: 'coder',
  card: {
    body: 'Write it.',
    checks: ['true'],
    labels: ['docs'],
    priority: 2,
    workspace: { kind: 'dir', path: '/srv', repo: null },
    goal: { judge: 'checks', maxTurns: 5 },
  },
} as unknown as SeriesView

test('an edit sends only the fields that the person changed', () => {
  const before = draftOfSeries(series)
  expect(before).toMatchObject({ body: 'Write it.', checks: 'true', priority: '2', folder: '/srv', goalTurns: '5' })
  expect(editInput(before, before)).toEqual({})
  expect(editInput({ ...before, title: 'Summary', goal: 'none' }, before)).toEqual({ title: 'Summary', goal: null })
})

test('a stored draft of another version keeps only suitable values', () => {
  const first = emptyDraft('UTC')
  expect(readSeriesDraft('{"title":"Report","labels":"docs","colour":1}', first)).toEqual({ ...first, title: 'Report' })
  expect(readSeriesDraft('{', first)).toEqual(first)
})
