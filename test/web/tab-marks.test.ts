import { expect, test } from 'vitest'
import { tabIcon, tabTitle } from '../../web/src/app/tab-marks.ts'

const waiting = (count: number, isExact = true) => ({ count, isExact })

test('the title of the tab starts with the number of items that need the person', () => {
  expect(tabTitle(waiting(7), 'Needs you')).toBe('(7) Needs you · Muster')
  expect(tabTitle(waiting(200, false), 'Board')).toBe('(200+) Board · Muster')
  expect(tabTitle(waiting(0), undefined)).toBe('Muster')
})

test('the icon of the tab has a badge with one digit', () => {
  const badge = (count: number) => /<text[^>]*>([^<]*)</.exec(decodeURIComponent(tabIcon(waiting(count))))?.[1]
  expect([1, 9, 10, 200].map(badge)).toEqual(['1', '9', '9+', '9+'])
  expect(tabIcon(waiting(0))).toBe('/favicon.svg')
})
