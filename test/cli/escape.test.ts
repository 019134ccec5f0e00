import { expect, test } from 'vitest'
import { block, oneLine } from '../../src/cli/escape.ts'

test('a line stays a line and cannot speak to the terminal', () => {
  expect(oneLine('a\nb\r\x1b[31mred\x07\u0085')).toBe('a\\nb\\x0d\\x1b[31mred\\x07\\x85')
})

test('what reorders or hides text is shown', () => {
  expect(oneLine('a\u202eb\u200bc\ufeff')).toBe('a\\u202eb\\u200bc\\ufeff')
})

test('ordinary text of any script stays as it is', () => {
  expect(oneLine('Größe – 日本語 – 🙂')).toBe('Größe – 日本語 – 🙂')
})

test('a block keeps its lines and tabs', () => {
  expect(block('a\n\tb\r\nc\x1b[2J')).toBe('a\n\tb\nc\\x1b[2J')
})
