import { expect, test } from 'vitest'
import { jsonPieces } from '../../../src/cli/output/json-pieces.ts'

const sample = { text: 'two\nlines', list: [1, { deep: [] }], nothing: null, absent: undefined }

test.each([[[]], [[sample]], [[sample, 'x', undefined, [sample]]], [sample], ['text'], [null]])(
  'the value %j is printed as JSON.stringify prints it',
  (value) => {
    expect([...jsonPieces(value)].join('')).toBe(`${JSON.stringify(value, null, 2)}\n`)
  },
)

test('a long list is printed in pieces', () => {
  const long = Array.from({ length: 1000 }, () => 'x'.repeat(1000))
  const pieces = [...jsonPieces(long)]
  expect(pieces.length).toBeGreaterThan(10)
  expect(pieces.join('')).toBe(`${JSON.stringify(long, null, 2)}\n`)
})

test('control characters of a terminal are printed as codes, and parse to the same text', () => {
  const hostile = { title: 'c1 \u009b31m, reordered \u202e, hidden \u200b' }
  for (const value of [hostile, [hostile]]) {
    const text = [...jsonPieces(value)].join('')
    expect(text).toContain(String.raw`c1 \u009b31m, reordered \u202e, hidden \u200b`)
    expect(JSON.parse(text)).toEqual(value)
  }
})
