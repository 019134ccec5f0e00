import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

/** **12.** What happens, and then its tests: - `file` › title */
interface Scenario {
  readonly number: number
  readonly proofs: readonly { readonly file: string; readonly title: string }[]
  readonly later: boolean
}

const page = readFileSync('docs/contributing/scenarios.md', 'utf8')

const scenarios: readonly Scenario[] = page
  .split(/^(?=\*\*\d+\.\*\* )/m)
  .slice(1)
  .map((part) => ({
    number: Number(/^\*\*(\d+)/.exec(part)?.[1]),
    proofs: [...part.matchAll(/^- `(test\/[^`]+)` › (.+)$/gm)].map(([, file = '', title = '']) => ({ file, title })),
    later: /^- (comes with|not proved) /m.test(part),
  }))

/** Titles stand in quotes, where an apostrophe may be escaped. */
const textOf = (file: string): string => readFileSync(file, 'utf8').replaceAll("\\'", "'")
const numbersIn = (title: string): number[] =>
  [...(/\(scenarios? ([\d, and]+)\)/.exec(title)?.[1] ?? '').matchAll(/\d+/g)].map(Number)

test('every scenario from 1 to 85 stands on the page once', () => {
  expect(scenarios.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 85 }, (_, at) => at + 1),
  )
})

test('each has its tests, or says that it has none yet', () => {
  expect(scenarios.filter(({ proofs, later }) => proofs.length > 0 === later)).toEqual([])
})

test('every test that the page names is there, and means that scenario', () => {
  const wrong = scenarios.flatMap(({ number, proofs }) =>
    proofs.filter(({ file, title }) => !textOf(file).includes(title) || !numbersIn(title).includes(number)),
  )
  expect(wrong).toEqual([])
})

test('every test that names a scenario stands on the page', () => {
  const claimed = new Set(scenarios.flatMap(({ number, proofs }) => proofs.map(({ file }) => `${number} ${file}`)))
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
  const unclaimed = files.flatMap((name) =>
    [
      ...textOf(`test/${name}`).matchAll(
        /^ *(?:test|it)(?:\.each\([^]*?\))?\(\s*(['"`])(.*\(scenarios? [\d, and]+\).*)\1/gm,
      ),
    ]
      .flatMap(([, , title = '']) => numbersIn(title).map((number) => `${number} test/${name}`))
      .filter((claim) => !claimed.has(claim)),
  )
  expect(unclaimed).toEqual([])
})
