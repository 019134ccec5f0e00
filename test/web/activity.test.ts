import { expect, test } from 'vitest'
import { dayName, groupByDay } from '../../web/src/activity/by-day.ts'
import { choosePeriod, groupsOf, isFiltered, readFilters, withFilters } from '../../web/src/activity/filters.ts'
import { newerThan } from '../../web/src/activity/newer-than.ts'
import { rangeOf } from '../../web/src/activity/periods.ts'

const NONE = readFilters(new URLSearchParams())
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()

test('the URL of the activity keeps the filters, and an unknown value is ignored', () => {
  const filters = readFilters(new URLSearchParams('board=main&group=results&by=agent:claude&period=night&before=12'))
  expect(filters).toEqual({
    board: 'main',
    group: 'results',
    by: 'agent:claude',
    card: null,
    period: 'night',
    before: 12,
  })
  expect(readFilters(new URLSearchParams('group=all&period=someday&before=x'))).toEqual(NONE)
  expect([isFiltered(NONE), isFiltered(filters)]).toEqual([false, true])
})

test('changing a filter returns to the newest events and keeps the rest of the URL', () => {
  const query = new URLSearchParams('find=1&group=runs&before=12')
  expect(String(withFilters(query, { group: null, card: 't_1' }))).toBe('find=1&card=t_1')
  expect(String(withFilters(query, { before: 5 }))).toBe('find=1&group=runs&before=5')
})

test('choosing a period shows the results first, unless the person chose a group', () => {
  expect(choosePeriod('night', NONE)).toEqual({ period: 'night', group: 'results' })
  expect(choosePeriod('night', { ...NONE, group: 'runs' })).toEqual({ period: 'night' })
})

test('the group of details is shown only on request', () => {
  expect(groupsOf(NONE)).not.toContain('details')
  expect(groupsOf({ group: 'details' })).toEqual(['details'])
})

test('the period “last night” is from yesterday evening to this morning', () => {
  expect(rangeOf('night', at(19, 9))).toEqual({ from: at(18, 18), until: at(19, 8) })
  expect(rangeOf('night', at(19, 7, 30))).toEqual({ from: at(18, 18), until: null })
  expect(rangeOf('yesterday', at(1, 9))).toEqual({ from: new Date(2026, 9, 31).getTime(), until: at(1, 0) })
  expect(rangeOf('today', at(19, 9))).toEqual({ from: at(19, 0), until: null })
  expect(rangeOf('week', at(19, 9))).toEqual({ from: at(13, 0), until: null })
})

test('events are grouped by day, and each day has a name', () => {
  const events = [at(19, 9), at(19, 0), at(18, 23, 59)].map((createdAt) => ({ createdAt }))
  expect(groupByDay(events).map((day) => [day.at, day.events.length])).toEqual([
    [at(19, 0), 2],
    [at(18, 0), 1],
  ])
  const name = (day: number): string => dayName('en', at(day, 5), at(19, 9))
  expect([name(19), name(18), name(10)]).toEqual(['Today', 'Yesterday', 'Tuesday, November 10'])
  expect(dayName('ko', at(18, 5), at(19, 9))).toBe('어제')
})

test('the activity counts events that are newer than the shown ones', () => {
  expect(newerThan([{ id: 9 }, { id: 8 }, { id: 5 }], [{ id: 5 }, { id: 4 }])).toBe(2)
  expect(newerThan([{ id: 5 }], [{ id: 5 }])).toBe(0)
})
