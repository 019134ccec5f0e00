import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from '../../src/util/sha256.ts'

const known = (text: string): string => createHash('sha256').update(text).digest('hex')

it('sha256 agrees with Node on random texts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(known(text))
    }),
  )
})

it.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128])(
  'sha256 agrees with Node for a text of %i bytes',
  (length) => {
    expect(sha256('é'.repeat(length / 2) + 'x'.repeat(length % 2))).toBe(
      known('é'.repeat(length / 2) + 'x'.repeat(length % 2)),
    )
    expect(sha256('x'.repeat(length))).toBe(known('x'.repeat(length)))
  },
)
