import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, describe, test } from 'vitest'
import { CLI_NAMES } from '../../src/harnesses/detect/clis.ts'
import { Names, stepsOf } from '../helpers/transcript.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .toSorted()
  .map((name) => ({ name: `docs/${name}`, steps: stepsOf(readFileSync(join(ROOT, 'docs', name), 'utf8')) }))
  .filter(({ steps }) => steps.length > 0)

let home: string | null = null

afterEach(() => {
  if (home !== null) rmSync(home, { recursive: true, force: true })
  home = null
})

/**
 * A PATH without agent CLIs, because the pages show the output of a machine without them. Node may be in the same
 * folder as an agent CLI, so a new folder links to Node only.
 */
const tools = mkdtempSync(join(tmpdir(), 'muster-docs-tools-'))
symlinkSync(process.execPath, join(tools, 'node'))
afterAll(() => rmSync(tools, { recursive: true }))
const others = (process.env['PATH'] ?? '').split(delimiter)
const PLAIN_PATH = [
  ROOT,
  tools,
  ...others.filter((folder) => !CLI_NAMES.some((name) => existsSync(join(folder, name)))),
].join(delimiter)

/** The output of a command, including errors, as on a terminal. */
function runCommand(command: string, folder: string): Promise<string> {
  const env = {
    PATH: PLAIN_PATH,
    HOME: folder,
    USER: 'ada',
    MUSTER_USER: 'ada',
    LANG: 'C.UTF-8',
    MUSTER_TERMINAL: '80',
  }
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', `${command} 2>&1`], { env, cwd: folder }, (_error, stdout) => resolve(stdout.trimEnd()))
  })
}

/** The pages in get-started begin without a data folder. The other pages begin after `muster init`. */
describe.each(pages)('$name', ({ name, steps }) => {
  test(`the commands on ${name} print the output that the page shows`, async () => {
    home = mkdtempSync(join(tmpdir(), 'muster-docs-'))
    if (!name.startsWith('docs/get-started/')) await runCommand('muster init', home)
    const names = new Names()
    for (const { command, output, line } of steps) {
      const printed = (await runCommand(names.translate(command), home)).split('\n').filter((text) => text !== '')
      const expected = output.filter((text) => text !== '')
      const right =
        printed.length === expected.length && expected.every((text, at) => names.matches(text, printed[at] ?? ''))
      if (!right)
        throw new Error(
          `${name}:${line} $ ${command}\nshould print:\n${output.join('\n')}\nprints:\n${printed.join('\n')}`,
        )
    }
  })
})
