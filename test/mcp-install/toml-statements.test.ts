import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseToml } from '../../src/mcp-install/toml-statements.ts'

const valueOf = (toml: string): unknown => parseToml(`key = ${toml}`)[0]?.value

/** The examples in the chapter "String" of toml.io/en/v1.1.0, with their values. */
describe('line continuation', () => {
  test.each([
    ['joins the next line', '"""a \\\n  b"""', 'a b'],
    [
      'joins the next text over empty lines',
      '"""\nThe quick brown \\\n\n\n  fox jumps.\\\n  """',
      'The quick brown fox jumps.',
    ],
    ['may have spaces after the backslash', '"""a\\ \t \n b"""', 'ab'],
    ['may end in a carriage return', '"""a\\\r\n\r\n  b"""', 'ab'],
    ['may begin the string', '"""\\\n       a"""', 'a'],
    ['does not continue after an escaped backslash', '"""a\\\\\nb"""', 'a\\\nb'],
    ['continues after the third of three backslashes', '"""a\\\\\\\n  b"""', 'a\\b'],
    ['does not continue after the fourth of four', '"""a\\\\\\\\\n  b"""', 'a\\\\\n  b'],
    ['keeps white space other than spaces and tabs', '"""a\\\n\u00a0b"""', 'a\u00a0b'],
    ['has no meaning in a literal string', "'''a\\\n b'''", 'a\\\n b'],
    ['may be followed by an escape', '"""a\\\n  \\n\\tb"""', 'a\n\tb'],
  ])('a line that ends in a backslash %s', (_, toml, meaning) => {
    expect(valueOf(toml)).toBe(meaning)
  })

  test.each([
    ['in a one-line string', '"a\\\n b"'],
    ['with text after the backslash', '"""a\\ b\n"""'],
    ['with a lone carriage return', '"""a\\\r b"""'],
  ])('a continuation %s is refused', (_, toml) => {
    expect(() => valueOf(toml)).toThrow(/invalid character in escape sequence|carriage return/)
  })
})

test.each([
  ['two quotation marks before the end', '"""a"""""', 'a""'],
  ['two apostrophes before the end', "'''a'''''", "a''"],
  ['an escaped quotation mark before the end', '"""a\\""""', 'a"'],
  ['every short escape', '"\\b\\t\\n\\f\\r\\e\\"\\\\"', '\b\t\n\f\r\u001b"\\'],
  ['every numbered escape', '"\\x41\\u00e9\\U0001F600"', 'Aé😀'],
])('a string holds %s', (_, toml, meaning) => {
  expect(valueOf(toml)).toBe(meaning)
})

test.each([
  ['six quotation marks at the end', '"""a""""""'],
  ['an escaped surrogate', '"\\ud800"'],
  ['an unknown escape', '"\\q"'],
  ['an escape beyond Unicode', '"\\U00110000"'],
])('a string with %s is refused', (_, toml) => {
  expect(() => valueOf(toml)).toThrow(/invalid (?:character|code point)|quotes are not permitted/)
})

const NAMED: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\r': '\\r', '\t': '\\t', '\n': '\\n' }

const written = (letter: string): string =>
  letter < ' ' || letter === '\u007f'
    ? (NAMED[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : (NAMED[letter] ?? letter)

const continuation = fc
  .tuple(fc.stringMatching(/^[ \t]*$/), fc.constantFrom('\n', '\r\n'), fc.stringMatching(/^[ \t\n]*$/))
  .map((parts) => `\\${parts.join('')}`)

test('a multi-line string can contain any text', () => {
  const letter = fc.oneof(
    fc.constantFrom('\\', '"', '\n', 'n', 'u', ' '),
    fc.string({ unit: 'grapheme', maxLength: 1 }),
  )
  const piece = fc.record({ letter, before: fc.option(continuation, { nil: '', freq: 2 }), isRaw: fc.boolean() })
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const meaning = pieces.map((one) => one.letter).join('')
      const toml = pieces.map(({ letter: one, before, isRaw }, at) => {
        const space = /^[ \t\n]/.test(one)
        // A line break or space is written raw only if it cannot count as part of the continuation or opening line
        // before it.
        const keepsRaw = isRaw && one === '\n' && before === '' && at > 0 && pieces[at - 1]?.letter !== ''
        const escaped = space && !keepsRaw ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : null
        return before + (keepsRaw ? one : (escaped ?? one.replaceAll(/[\s\S]/gu, written)))
      })
      expect(valueOf(`"""${toml.join('')}"""`)).toBe(meaning)
    }),
  )
})
