import { expect, test } from 'vitest'
import { withoutComments } from '../../src/util/json-fields.ts'

test('comments in JSON are removed, but not inside strings', () => {
  const text = `{ // a line
    "url": "https://example.org/*not*/", /* a
    block */ "quote": "a \\" // b"
  }`
  expect(JSON.parse(withoutComments(text))).toEqual({ url: 'https://example.org/*not*/', quote: 'a " // b' })
})
