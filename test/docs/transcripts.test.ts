import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { linesOf, openReader } from '../helpers/reader.ts'
import { Names, stepsOf } from '../helpers/transcript.ts'
import type { Step } from '../helpers/transcript.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/**
 * The README is run as printed, for a clone, and once more in the form for users of the npm package. The commands in
 * its sh blocks may print anything, but must not fail.
 */
const inClone = read('README.md')
  .replaceAll('$ npm start', '$ ./muster up')
  .replaceAll(/^```sh\n([^`]*)^```$/gm, (_block, lines: string) => {
    const commands = lines.replaceAll(/ *#.*$/gm, '').replaceAll(/^(.+)$/gm, '$ $1 && echo passed\n…\npassed')
    return `\`\`\`console\n${commands}\`\`\``
  })
const readme = [
  { name: 'README.md in a clone', text: inClone },
  { name: 'README.md with the npm package', text: inClone.replaceAll('./muster', 'muster') },
]
const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .toSorted()
  .map((file) => ({ name: `docs/${file}`, text: read(`docs/${file}`) }))
const pages = [...readme, ...docs]
  .map(({ name, text }) => ({ name, steps: stepsOf(text) }))
  .filter(({ steps }) => steps.length > 0)

function requireMatch(name: string, names: Names, { command, output, line }: Step, printed: readonly string[]): void {
  if (names.matches(output, printed)) return
  throw new Error(`${name}:${line} $ ${command}\nshould print:\n${output.join('\n')}\nprints:\n${printed.join('\n')}`)
}

/** Adds gaps, because a page may leave out lines of a long command. */
const withGaps = (lines: readonly string[]): string[] => ['…', ...lines.flatMap((line) => [line, '…'])]

/** The README and the pages in get-started show the first use. All other pages start after `muster init`. */
test.concurrent.for(pages)(
  'the commands on the page $name print what the page shows',
  async ({ name, steps }, { onTestFinished }) => {
    const shell = openReader()
    onTestFinished(() => shell.leave())
    if (!/^README|get-started/.test(name)) await shell.run('muster init')
    const names = new Names()
    const long = []
    for (const step of steps) {
      if (step.runsBeside) long.push({ step, command: await shell.start(step.command) })
      else requireMatch(name, names, step, await shell.run(names.translate(step.command)))
      // The board starts cards at once, so a reader who types the next command sees finished cards.
      if (long.some((one) => /muster up/.test(one.step.command))) await shell.untilIdle()
    }
    for (const { step, command } of long) {
      await command.interrupt()
      requireMatch(name, names, { ...step, output: withGaps(step.output) }, linesOf(command.output()))
    }
  },
)
