// Tests `muster uninstall --data` beside live runs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'
import { WAITS, createShellCard, finish, startUp, untilBegun, untilStatus } from '../helpers/run-cards.ts'

test('data is never deleted while a card or `muster up` is running', async () => {
  const home = makeTestHome('sqlite')
  const card = await createShellCard(home, 'long work', WAITS)
  const up = startUp(home)
  await untilBegun(home, card.id)
  // The configuration of this machine's real user must not change.
  const user = join(home.home, '..', 'user')
  const env = { HOME: user, XDG_CONFIG_HOME: user, CLAUDE_CONFIG_DIR: user, CODEX_HOME: user, GEMINI_CLI_HOME: user }
  const uninstall = () => home.start(['uninstall', '--data', '--yes'], { env }).ended
  expect((await uninstall()).stderr).toContain('1 card is running, so nothing was removed.')
  finish(home, card.id)
  await untilStatus(home, card.id, 'done')
  expect((await uninstall()).stderr).toContain('so nothing was removed.')
  expect(existsSync(home.home)).toBe(true)
  up.child.kill('SIGTERM')
  await up.ended
  expect((await home.show(card.id)).status).toBe('done')
  const done = await home.until('nothing runs', async () => {
    const answer = await uninstall()
    return answer.code === 0 ? answer : null
  })
  expect(done.stdout).toContain('Deleted the data folder')
  expect(existsSync(home.home)).toBe(false)
})
