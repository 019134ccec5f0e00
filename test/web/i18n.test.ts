import { expect, test } from 'vitest'
import {
  formatAge,
  formatBytes,
  formatClock,
  formatMoney,
  formatRelative,
  formatSpan,
} from '../../web/src/i18n/format.ts'
import { preferredLanguage, tagOf } from '../../web/src/i18n/language.ts'
import { formatMessage, formatNumber, piecesOf } from '../../web/src/i18n/messages.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('a message contains its values, with numbers in the style of the language', () => {
  expect(formatMessage('en', '{a} of {b}', { a: 3, b: 12_000 })).toBe('3 of 12,000')
})

test('the number chooses the plural form of the language', () => {
  const message = { one: '{n} card', other: '{n} cards' }
  expect(formatMessage('en', message, { n: 1 })).toBe('1 card')
  expect(formatMessage('en', message, { n: 2 })).toBe('2 cards')
  expect(formatMessage('ko', { other: '카드 {n}개' }, { n: 1 })).toBe('카드 1개')
})

test('a value can be an element between the words', () => {
  const link = { href: '/' }
  expect(piecesOf('en', 'Waits for {card} now', { card: link })).toEqual(['Waits for ', link, ' now'])
})

test('a value with braces is not read as a placeholder', () => {
  expect(formatMessage('en', '{a} and {b}', { a: '{b}', b: 'x' })).toBe('{b} and x')
})

test('the first known language of the browser is chosen', () => {
  expect(preferredLanguage(['fr-FR', 'ko-KR', 'en'])).toBe('ko')
  expect(preferredLanguage(['zh-TW'])).toBe('zh')
  expect(preferredLanguage(['de'])).toBe('en')
  expect(tagOf('zh')).toBe('zh-Hans')
})

test('an age has a short form, and a relative time has a form for sentences', () => {
  expect(formatAge('en', 0, 30_000)).toBe('now')
  expect(formatAge('en', 0, 12 * MINUTE)).toBe('12 min')
  expect(formatAge('ko', 0, 12 * MINUTE)).toBe('12분')
  expect(formatSpan('en', 49 * HOUR)).toBe('2 d')
  expect(formatRelative('en', 4 * MINUTE, 0)).toBe('in 4 minutes')
  expect(formatRelative('zh', 0, 2 * HOUR)).toBe('2小时前')
})

test('a clock shows minutes and seconds, then hours, then days', () => {
  expect(formatClock('en', 412_000)).toBe('06:52')
  expect(formatClock('en', HOUR + 412_000)).toBe('1:06:52')
  expect(formatClock('en', 127 * HOUR)).toBe('5 d 7 h')
  expect(formatClock('en', -5)).toBe('00:00')
})

test.each(['en', 'ko', 'zh'] as const)(
  'numbers and amounts in %s are written as the browser writes them',
  (language) => {
    const number = new Intl.NumberFormat(language)
    const money = new Intl.NumberFormat(language, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
    })
    for (const value of [0, 7, -42, 999, 1_000, -12_345, 9_876_543.25])
      expect([formatNumber(language, value), formatMoney(language, value)]).toEqual([
        number.format(value),
        money.format(value),
      ])
  },
)

test('amounts have two decimals, and sizes have a unit', () => {
  expect(formatMoney('en', 4.118)).toBe('$4.12')
  expect(formatMoney('ko', 1284.5)).toBe('$1,284.50')
  expect(formatBytes('en', 0)).toBe('0 byte')
  expect(formatBytes('en', 1_250_000)).toBe('1.3 MB')
})
