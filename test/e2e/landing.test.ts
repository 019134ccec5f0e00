// From a card in a worktree to a commit on the user's branch, through the command line.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENGINES } from '../helpers/stores.ts'
import { makeRepository, testFolder } from '../helpers/repository.ts'
import { openHome, shellCard, statusOf } from '../scenarios/stage.ts'

test.each(ENGINES)('finished work is committed by the board and lands (%s)', async (engine) => {
  const home = await openHome(engine)
  const repo = makeRepository()
  const card = await shellCard(home, 'echo work >page', '--workspace', `worktree:${repo.path}`)
  await home.dispatch('--wait')
  const shown = await home.show(card.id)
  expect(shown).toMatchObject({ status: 'done', landed: null })
  expect(shown.runs).toMatchObject([{ changes: { files: 1, added: 1, removed: 0, note: null } }])
  const commit = repo.git('rev-parse', `muster/${card.id}`)
  expect(shown.runs[0]?.changes?.commit).toBe(commit)
  expect(repo.git('log', '-1', '--format=%s%n%b', commit)).toContain(`Muster-Card: ${card.id}`)

  expect((await home.muster('diff', card.id, '--name-only')).stdout).toBe('page\n')
  expect((await home.muster('diff', card.id)).stdout).toContain('+work')
  const path = (await home.muster('checkout', card.id)).stdout.trim()
  expect(readFileSync(join(path, 'page'), 'utf8')).toBe('work\n')

  repo.write('readme', 'dirty\n')
  expect(await home.muster('land', card.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('commit or stash'),
  })
  repo.git('checkout', '--quiet', 'readme')
  const landed = JSON.parse((await home.muster('land', card.id, '--json')).stdout) as { commit: string }
  expect(repo.git('rev-parse', 'main')).toBe(landed.commit)
  expect(existsSync(join(repo.path, 'page'))).toBe(true)
  expect(await home.show(card.id)).toMatchObject({ landed: { commit: landed.commit, into: 'main', tip: commit } })
  expect((await home.muster('diff', card.id, '--stat')).stdout).toBe('+1 −0  page\n')
  expect((await home.muster('land', card.id, '--squash', '--merge')).code).toBe(2)
})

test('a supervisor that is killed while it commits leaves one commit and a completed run', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  repo.write('.gitattributes', '*.txt filter=x\n')
  repo.commit('attributes')
  // The filter kills the supervisor the first time it runs, in the middle of the commit.
  const user = testFolder()
  const script = join(user, 'filter')
  const parent = "$(sed -n 's/^PPid:[^0-9]*//p' /proc/$PPID/status)"
  writeFileSync(
    script,
    `#!/bin/sh\nif [ ! -e ${user}/killed ]; then touch ${user}/killed; kill -9 ${parent}; fi\nexec cat\n`,
  )
  chmodSync(script, 0o755)
  writeFileSync(join(user, '.gitconfig'), `[filter "x"]\n\tclean = ${script}\n\trequired = true\n`)
  const card = await shellCard(home, 'echo work >page.txt', '--workspace', `worktree:${repo.path}`)
  const running = home.start(['dispatch', '--wait'], { env: { HOME: user } })
  await running.ended
  await home.until('the card is done', async () => {
    if ((await statusOf(home, card.id)) !== 'done') await home.start(['dispatch'], { env: { HOME: user } }).ended
    return (await statusOf(home, card.id)) === 'done'
  })
  expect(existsSync(join(user, 'killed'))).toBe(true)
  const [run] = (await home.show(card.id)).runs
  expect(run).toMatchObject({ outcome: 'completed', changes: { files: 1, added: 1, note: null } })
  expect(repo.git('rev-list', '--count', `main..muster/${card.id}`)).toBe('1')
  expect(repo.git('show', `muster/${card.id}:page.txt`)).toBe('work')
  expect(existsSync(join(repo.path, '.git/worktrees', card.id, 'index.lock'))).toBe(false)
})
