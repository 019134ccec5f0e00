// Tests `muster up --awake` with a fixture program as the sleep inhibitor. This program must live while cards run and
// never outlive `up`.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import {
  WAITS,
  createShellCard,
  finish,
  isGone,
  numberIn,
  startUp,
  untilBegun,
  untilPrinted,
  untilStatus,
} from '../helpers/run-cards.ts'

function fakeInhibitor(home: TestHome): { env: NodeJS.ProcessEnv; pid: () => number } {
  const folder = join(home.home, '..', 'bin')
  mkdirSync(folder, { recursive: true })
  const name = process.platform === 'darwin' ? 'caffeinate' : 'systemd-inhibit'
  writeFileSync(join(folder, name), `#!/bin/sh\necho $$ >'${folder}/pid'\nexec cat\n`)
  chmodSync(join(folder, name), 0o755)
  return { env: { PATH: `${folder}:${process.env['PATH']}` }, pid: () => numberIn(join(folder, 'pid')) }
}

test('the machine stays awake while a card runs', async () => {
  const home = makeTestHome('sqlite')
  const card = await createShellCard(home, 'long work', WAITS)
  const { env, pid } = fakeInhibitor(home)
  const up = startUp(home, env, '--awake')
  await untilBegun(home, card.id)
  await home.until('the inhibitor has started', () => pid() > 0)
  finish(home, card.id)
  await untilStatus(home, card.id, 'done')
  await home.until('the inhibitor has ended', () => isGone(pid()))
  expect(up.child.exitCode).toBeNull()
})

test('the sleep inhibitor ends when `muster up` is killed', async () => {
  const home = makeTestHome('sqlite')
  const card = await createShellCard(home, 'long work', WAITS)
  const { env, pid } = fakeInhibitor(home)
  const up = startUp(home, env, '--awake')
  await home.until('the inhibitor has started', () => pid() > 0)
  up.child.kill('SIGKILL')
  await home.until('the inhibitor has ended', () => isGone(pid()))
  await untilBegun(home, card.id)
  finish(home, card.id)
  await untilStatus(home, card.id, 'done')
})

test('cards run without an inhibitor program, and `muster up` warns once', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const folder = join(home.home, '..', 'empty')
  mkdirSync(folder, { recursive: true })
  const up = startUp(home, { PATH: folder }, '--awake')
  await untilPrinted(home, up, 'Running cards')
  const cards = [await createShellCard(home, 'one', 'exit 0'), await createShellCard(home, 'two', 'exit 0')]
  for (const { id } of cards) await untilStatus(home, id, 'done')
  await untilPrinted(home, up, 'The machine may go to sleep:')
  expect(up.output().match(/may go to sleep/g)).toHaveLength(1)
})
