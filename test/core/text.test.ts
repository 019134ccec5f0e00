import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capped, cut, cutFront, firstLine, textFault, trimmedTo } from '../../src/core/text.ts'

describe('a text', () => {
  test('only NUL and broken surrogate pairs are refused', () => {
    expect(textFault('a\0b')).toContain('NUL')
    expect(textFault('half a smile \ud83d')).toContain('Unicode')
    expect(textFault('\ude00 the other half')).toContain('Unicode')
    expect(textFault("🙂 \u202e rtl \u200d zwj \u001b[31m \r\n <script> '; drop table")).toBeNull()
  })

  test('well-formed text is never refused', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '\n', '\u202e', 'é', '漢', '🙂', '\u200d', '\uffff', '\u{10ffff}')),
        (characters) => {
          expect(textFault(characters.join(''))).toBeNull()
        },
      ),
    )
  })
})

describe('a cut', () => {
  test('a cut never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 20 }), (text, max) => {
        for (const part of [cut(text, max), cutFront(text, max)]) {
          expect(part.length).toBeLessThanOrEqual(max)
          expect(textFault(part)).toBeNull()
        }
      }),
    )
  })

  test('a cut keeps as much as fits, from either end', () => {
    expect(cut('abcdef', 3)).toBe('abc')
    expect(cut('ab🙂', 3)).toBe('ab')
    expect(cutFront('abcdef', 3)).toBe('def')
    expect(cutFront('🙂ab', 3)).toBe('ab')
    expect(cutFront('ab', 3)).toBe('ab')
  })
})

describe('the first line', () => {
  test('the first line is the first that is not blank', () => {
    expect(firstLine('\n  \r\n  Fixed it. \nMore', 100)).toBe('Fixed it.')
    expect(firstLine('abcdef', 3)).toBe('abc')
  })

  test('the first line of blank text is empty', () => {
    expect([null, undefined, '', ' \n\t\n'].map((text) => firstLine(text, 10))).toEqual(['', '', '', ''])
  })
})

describe('a capped text', () => {
  test('a text that fits is only trimmed', () => {
    expect(capped('  four ', 4)).toBe('four')
  })

  test('a capped text shows how much was left out', () => {
    expect(capped('abcdefgh', 5)).toBe('abcde\n[… 3 more characters left out]')
    expect(capped('abcd🙂f', 5)).toBe('abcd\n[… 3 more characters left out]')
  })
})

describe('a trimmed text', () => {
  test.each([
    ['as it is', 8, 'as it is'],
    ['a long text that goes on and on', 24, 'a long … (trimmed to 24)'],
    ['far too long', 5, 'far …'],
    ['abc🙂 and so on', 5, 'abc…'],
    ['xy', 1, '…'],
  ])('%j trimmed to %i characters is %j', (value, max, shown) => {
    expect(trimmedTo(value, max)).toBe(shown)
    expect(shown.length).toBeLessThanOrEqual(max)
  })
})
