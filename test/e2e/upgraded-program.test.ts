// Tests a program whose files disappear while it runs, as in an upgrade or a new build.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BIN, makeTestHome } from '../helpers/cli.ts'
import { createShellCard, outcomesOf, untilStatus } from '../helpers/run-cards.ts'

const SQLITE = 'node_modules/@photostructure/sqlite'

/** Makes a copy of the installed program, in a folder that the test may delete. */
function copyProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-program-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(dirname(BIN), join(folder, 'dist'), { recursive: true })
  mkdirSync(join(folder, SQLITE), { recursive: true })
  cpSync(join(dirname(BIN), '..', SQLITE), join(folder, SQLITE), { recursive: true })
  return folder
}

test('`muster up` runs cards after its program was deleted', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const folder = copyProgram()
  const child = spawn(process.execPath, [join(folder, 'dist', 'bin.js'), 'up'], {
    env: { ...home.env, MUSTER_SWEEP_MS: '200' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (printed += String(chunk)))
  const ended = once(child, 'close')
  await home.until('it runs', () => printed.includes('Running cards'))
  rmSync(folder, { recursive: true })

  const parent = await createShellCard(home, 'first', 'echo text > page.md', '--check', 'file:page.md')
  const second = await createShellCard(home, 'second', 'cat "$MUSTER_PARENT_WORKSPACE/page.md"', '--parent', parent.id)
  const fails = await createShellCard(home, 'fails', 'exit 1', '--max-retries', '1')
  await untilStatus(home, second.id, 'done')
  await untilStatus(home, fails.id, 'blocked')
  expect(await outcomesOf(home, parent.id)).toEqual(['completed'])
  expect(await outcomesOf(home, second.id)).toEqual(['completed'])
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(printed).toContain('Stopped.')
})
