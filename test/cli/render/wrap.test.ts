import fc from 'fast-check'
import { expect, test } from 'vitest'
import { widthOf } from '../../../src/cli/render/width.ts'
import { wrapAroundCommands, wrapLine } from '../../../src/cli/render/wrap.ts'

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

test('a sentence is wrapped around its commands', () => {
  const text =
    'Starts when its parents finish. To start now: muster promote t_8w4cz0h5nt --force, or muster hold t_8w4cz0h5nt'
  expect(wrapAroundCommands(text, 50)).toEqual([
    'Starts when its parents finish. To start now:',
    'muster promote t_8w4cz0h5nt --force, or',
    'muster hold t_8w4cz0h5nt',
  ])
  expect(wrapAroundCommands(text, 20)).toContain('muster promote t_8w4cz0h5nt --force,')
  expect(wrapAroundCommands(text, Infinity)).toEqual([text])
})
