import fc from 'fast-check'
import { expect, test } from 'vitest'
import { widthOf } from '../../../src/cli/render/width.ts'
import { wrapLine } from '../../../src/cli/render/wrap.ts'

test('a line is wrapped between words, and within a word that is too long', () => {
  expect(wrapLine('one two three', 8)).toEqual(['one two', 'three'])
  expect(wrapLine('one abcdefghijkl two', 5)).toEqual(['one', 'abcde', 'fghij', 'kl', 'two'])
  expect(wrapLine('  indented', 80)).toEqual(['  indented'])
  expect(wrapLine('', 5)).toEqual([''])
})

test('wrapping counts two columns for a wide character', () => {
  expect(wrapLine('日本語のタイトル', 6)).toEqual(['日本語', 'のタイ', 'トル'])
})

test('no wrapped line is too wide, and no word is lost', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '日', '🙂', 'é'), maxLength: 60 })
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 12 }), (line, width) => {
      const lines = wrapLine(line, width)
      for (const one of lines) expect(widthOf(one)).toBeLessThanOrEqual(width)
      expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''))
    }),
  )
})
