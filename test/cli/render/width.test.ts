import { describe, expect, test } from 'vitest'
import { cutTo, fit, widthOf } from '../../../src/cli/render/width.ts'

describe('the width of a text', () => {
  test.each([
    ['plain words', 11],
    ['', 0],
    ['über', 4],
    ['日本語', 6],
    ['한국', 4],
    ['ＡＢ', 4],
    ['e\u0301', 1],
    ['🚀', 2],
    ['❤\ufe0f', 2],
    ['▶ ✓ ⊘', 5],
  ])('the text "%s" takes %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns)
  })
})

test('a cut text ends in … and never exceeds the width', () => {
  expect(cutTo('short', 5)).toBe('short')
  expect(cutTo('longer', 5)).toBe('long…')
  expect(cutTo('日本語', 5)).toBe('日本…')
  expect(cutTo('日本語', 4)).toBe('日…')
  expect(cutTo('x', 0)).toBe('')
  for (const text of ['日本語のタイトル', 'a🚀b🚀c', 'e\u0301e\u0301e\u0301'])
    for (let width = 1; width < 12; width += 1) expect(widthOf(cutTo(text, width))).toBeLessThanOrEqual(width)
  expect(fit('日本', 6)).toBe('日本  ')
  expect(fit('abcdefg', 4)).toBe('abc…')
})
