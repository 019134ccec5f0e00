import { expect, test } from 'vitest'
import { multiLine, oneLine } from '../../../src/cli/output/escape.ts'

test('oneLine escapes newlines and control characters', () => {
  expect(oneLine('a\nb\r\x1b[31mred\x07\u0085')).toBe('a\\nb\\x0d\\x1b[31mred\\x07\\x85')
})

test('characters that reorder or hide text are escaped', () => {
  expect(oneLine('a\u202eb\u200bc\ufeff')).toBe('a\\u202eb\\u200bc\\ufeff')
})

test('ordinary text in any language is unchanged', () => {
  expect(oneLine('Größe – 日本語 – 🙂')).toBe('Größe – 日本語 – 🙂')
})

test('`block` keeps newlines and tabs and escapes the rest', () => {
  expect(multiLine('a\n\tb\r\nc\x1b[2J')).toBe('a\n\tb\nc\\x1b[2J')
})
