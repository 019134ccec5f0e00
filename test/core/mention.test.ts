import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mentionsIn } from '../../src/core/mention.ts'

test.each([
  ['@coder please', ['coder']],
  ['Please, @Coder: fix it', ['coder']],
  ['(@coder), **@tester** and “@critic”.', ['coder', 'tester', 'critic']],
  ['@coder @tester @coder', ['coder', 'tester']],
  ['@front-end_2, see above', ['front-end_2']],
  ['_@coder_', ['coder']],
  ['@coder에게 맡겨 주세요', ['coder']],
  ['请@coder看一下', ['coder']],
  ['- one\n\n    @coder in a list', ['coder']],
  ['one\n    @coder after a line', ['coder']],
  ['a ` alone @coder', ['coder']],
  ['a `\n\n@coder in the next paragraph `', ['coder']],
  ['a \\`@coder\\` escaped backtick', ['coder']],
  ['~~~\n@tester\n~~~\n@coder', ['coder']],
  ['```\n@tester\n````\n@coder', ['coder']],
])('“%s” mentions %j', (text, names) => {
  expect(mentionsIn(text)).toEqual(names)
})

test.each([
  'ada@example.org',
  'ada@coder',
  'josé@coder',
  '@coder.example.org',
  '@coder@example.org',
  '@coder/parser',
  'https://example.org/@coder',
  '\\@coder',
  '@ coder',
  '@',
  '@-coder',
  '`@coder`',
  '`` ` @coder ``',
  '```\n@coder\n```',
  '- ```ts\n  @coder\n  ```',
  '```\n@coder without an end',
  '~~~~\n@coder\n~~~\n@coder\n~~~~',
  'text\n\n    @coder\n    @coder',
  '> @coder asked',
  'a `code span\n@coder on two lines`',
])('“%s” mentions no one', (text) => {
  expect(mentionsIn(text)).toEqual([])
})

describe('random comments', () => {
  const name = fc.constantFrom('coder', 'tester', 'front-end', 'r2')
  const word = fc.constantFrom('please', '확인', '看', '1', '—', 'and/or', '100%', 'see:')
  /** A piece of a paragraph with the names that it mentions. */
  const piece = fc.oneof(
    name.map((one) => ({ text: `@${one}`, names: [one] })),
    name.map((one) => ({ text: `(@${one.toUpperCase()}),`, names: [one] })),
    word.map((text) => ({ text, names: [] as string[] })),
    name.map((one) => ({ text: `ada@${one}.example`, names: [] as string[] })),
    name.map((one) => ({ text: `\`@${one}\``, names: [] as string[] })),
    name.map((one) => ({ text: `\`\`x \` @${one}\`\``, names: [] as string[] })),
    name.map((one) => ({ text: `https://host/@${one}`, names: [] as string[] })),
    name.map((one) => ({ text: `@${one}/package`, names: [] as string[] })),
  )
  const paragraph = fc
    .array(piece, { minLength: 1, maxLength: 6 })
    .map((pieces) => ({ text: pieces.map(({ text }) => text).join(' '), names: pieces.flatMap(({ names }) => names) }))
  const hidden = fc
    .tuple(fc.constantFrom('```', '~~~~', '````ts'), paragraph)
    .map(([fence, { text }]) => ({ text: `${fence}\n${text}\n${fence.replace('ts', '')}`, names: [] as string[] }))
  const quote = paragraph.map(({ text }) => ({ text: `> ${text}`, names: [] as string[] }))
  const indented = paragraph.map(({ text }) => ({ text: `    ${text}`, names: [] as string[] }))
  const blocks = fc.array(fc.oneof(paragraph, hidden, quote, indented), { maxLength: 6 })
  const lineEnd = fc.constantFrom('\n', '\r\n')

  test('each mention outside code and quotes is found once, in order', () => {
    fc.assert(
      fc.property(blocks, lineEnd, (parts, end) => {
        const text = parts.map((part) => part.text).join('\n\n')
        expect(mentionsIn(text.replaceAll('\n', end))).toEqual([...new Set(parts.flatMap(({ names }) => names))])
      }),
    )
  })

  test('every found name is a valid agent name and follows an @ in the text', () => {
    const letters = fc.constantFrom('@', '`', '~', '>', ' ', '\n', '\t', '-', '.', '/', 'a', 'B', '7', '_', '가', '👍')
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 60 }), (chars) => {
        const text = chars.join('')
        for (const name of mentionsIn(text)) {
          expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*$/)
          expect(text.toLowerCase()).toContain(`@${name}`)
        }
      }),
    )
  })

  test('a long comment with repeated punctuation is read', () => {
    const parts = ['`@a', '``@a`', '\n```\n', '@a ', '    @a\n\n', '> @a\n', '- '.repeat(30), '@'.repeat(50)]
    for (const part of parts) expect(mentionsIn(part.repeat(65_536 / part.length)).length).toBeLessThan(2)
  })
})
