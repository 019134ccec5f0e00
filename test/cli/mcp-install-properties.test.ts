/** Tests `mcp install` and `mcp install --remove` on random valid documents. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commentsIn, makeDesk, reading, readingWithTools, readingWithout, tableOf } from '../helpers/assistants.ts'

const TRIVIA = ['', ' ', '\n', '\t', '\n    ', '  \n', '\r\n']
const COMMENTS = [' // a "word" }\n', '/* , { */', '\n/*\n*/\n', '// muster\r\n']

interface Writing {
  readonly trivia: readonly string[]
  readonly trailing: boolean
}

/** Prints a value with the given white space and comments between its tokens. */
function printWith(value: unknown, { trivia, trailing }: Writing): string {
  let next = 0
  const gap = (): string => trivia[next++ % trivia.length] ?? ''
  const list = (open: string, parts: readonly string[], close: string): string =>
    `${open}${gap()}${parts.join(',')}${parts.length > 0 && trailing ? `,${gap()}` : ''}${close}`
  const print = (inner: unknown): string => {
    if (Array.isArray(inner))
      return list(
        '[',
        inner.map((item) => `${gap()}${print(item)}${gap()}`),
        ']',
      )
    if (typeof inner !== 'object' || inner === null) return JSON.stringify(inner)
    const members = Object.entries(inner).map(
      ([key, item]) => `${gap()}${JSON.stringify(key)}${gap()}:${gap()}${print(item)}${gap()}`,
    )
    return list('{', members, '}')
  }
  return gap() + print(value) + gap()
}

const keys = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('mcp', 'mcpServers', 'muster', '//', '}'))
const anything = fc.jsonValue({ maxDepth: 3 })
const servers = fc.dictionary(
  keys.filter((key) => key !== 'muster' && key !== '__proto__'),
  anything,
  { maxKeys: 3 },
)
const documents = (name: string) =>
  fc
    .tuple(
      fc.dictionary(
        keys.filter((key) => key !== name && key !== '__proto__'),
        anything,
        { maxKeys: 4 },
      ),
      fc.option(servers, { nil: undefined }),
      fc.boolean(),
    )
    .map(([others, table, first]) => {
      const own = table === undefined ? {} : { [name]: table }
      return first ? { ...own, ...others } : { ...others, ...own }
    })

test.each(['claude', 'gemini', 'opencode'] as const)(
  '`--remove` for %s restores any document exactly',
  async (name) => {
    const pieces = name === 'claude' ? TRIVIA : [...TRIVIA, ...COMMENTS]
    const writing = fc.record({
      trivia: fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }),
      trailing: name === 'opencode' ? fc.boolean() : fc.constant(false),
    })
    const desk = makeDesk(name)
    await fc.assert(
      fc.asyncProperty(documents(tableOf(name)), writing, async (document, how) => {
        const before = printWith(document, how)
        desk.write(before)
        expect(await desk.install()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('line') as string })
        expect(reading(name, desk.read(), before)).toEqual(readingWithTools(name, desk.home, before))
        const installed = desk.read() ?? ''
        await desk.remove()
        expect(desk.read()).toBe(before)

        // Without the install record, `--remove` restores the meaning of the document and every comment.
        desk.write(installed)
        await desk.remove()
        const left = desk.read() ?? ''
        expect(reading(name, left, before)).toEqual(readingWithout(name, before))
        expect(commentsIn(left)).toEqual(commentsIn(before))
      }),
      { numRuns: 40 },
    )
  },
)

test('`--remove` restores any statements in the Codex file exactly', async () => {
  const statement = fc.constantFrom(
    'a{n} = 1',
    '"quoted {n}" = \'[mcp_servers.muster]\'',
    'd{n}.e = 1979-05-27T07:32:00Z',
    't{n} = """\n# no comment\n[mcp_servers.muster]\n"""',
    "l{n} = '''\n'x'''",
    'i{n} = { a = 1, b = [ "}", 2.5e3 ] } # inline',
    'b{n} = [\n  true, # yes\n\n  false,\n]',
    '[table{n}]',
    '[mcp_servers."x{n}"]',
    '[mcp_servers.y{n}.env]',
    '[[list]]',
    '# comment',
    '',
    '   ',
  )
  const desk = makeDesk('codex')
  await fc.assert(
    fc.asyncProperty(
      fc.array(statement, { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async (statements, eol, ends) => {
        const before =
          statements.map((text, n) => text.replaceAll('{n}', String(n)).replaceAll('\n', eol)).join(eol) +
          (ends ? eol : '')
        desk.write(before)
        expect(await desk.install()).toMatchObject({ code: 0 })
        expect(reading('codex', desk.read(), before)).toEqual(readingWithTools('codex', desk.home, before))
        const installed = desk.read() ?? ''
        await desk.remove()
        expect(desk.read()).toBe(before)
        desk.write(`${installed}[late]${eol}`)
        await desk.remove()
        expect(
          desk
            .read()
            ?.replace(/\s*\[late\]\s*$/, '')
            .trimEnd(),
        ).toBe(before.trimEnd())
      },
    ),
    { numRuns: 40 },
  )
})
