import { expect, test } from 'vitest'
import { withoutComments } from '../../src/util/without-comments.ts'

test('comments go, and what looks like one inside a text stays', () => {
  const text = `{ // a line
    "url": "https://example.org/*not*/", /* a
    block */ "quote": "a \\" // b"
  }`
  expect(JSON.parse(withoutComments(text))).toEqual({ url: 'https://example.org/*not*/', quote: 'a " // b' })
})
