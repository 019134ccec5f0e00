/** Lists below each scenario the tests that name it in their title: `a card … (scenario 12)`. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const TITLE = /(['"`])((?:\\.|(?!\1).)*\(scenarios? [\d, and]+\)(?:\\.|(?!\1).)*)\1/g

const numbersIn = (title: string): number[] =>
  [...(/\(scenarios? ([\d, and]+)\)/.exec(title)?.[1] ?? '').matchAll(/\d+/g)].map(Number)

/** Scenario → its tests, as lines of a list. */
export function testsOfScenarios(folder: string): Map<number, string[]> {
  const found = new Map<number, string[]>()
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
  for (const file of files.toSorted())
    for (const [, , title = ''] of readFileSync(join(folder, file), 'utf8').matchAll(TITLE))
      for (const number of numbersIn(title))
        found.set(number, [
          ...(found.get(number) ?? []),
          `- \`test/${file}\` › ${title.replaceAll('\\', '').replaceAll(/%\w|\$\w+/g, '…')}`,
        ])
  return found
}

/** Updates the list of tests below each scenario. A scenario without a test keeps its note. */
export function withTests(page: string, folder: string): string {
  const tests = testsOfScenarios(folder)
  return page
    .split(/^(?=\*\*\d+\.\*\* )/m)
    .map((part) => {
      const lines = tests.get(Number(/^\*\*(\d+)\./.exec(part)?.[1]))
      if (lines === undefined) return part.replace(/^- `test\/.*\n/gm, '')
      // The scenario is one paragraph. The next section of the page may follow its list.
      const [text = ''] = part.split('\n\n')
      const [section = ''] = /^## [^]*/m.exec(part) ?? []
      return `${text.trimEnd()}\n\n${lines.join('\n')}\n\n${section}`
    })
    .join('')
    .replace(/\n+$/, '\n')
}
