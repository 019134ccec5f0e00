// Tests `land`, `diff` and `checkout`: from a card in a worktree to a commit on the user's branch.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BIN, appeared } from '../helpers/cli.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { makeGitTrap } from '../helpers/git-trap.ts'
import { gitIn, makeRepository, testFolder } from '../helpers/repository.ts'
import { WAITS, openHome, shellCard, statusOf, writeAgent } from '../helpers/run-cards.ts'

test.each(SURFACE_ENGINES)('the board commits finished work, which can land (%s)', async (engine) => {
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
  expect(await home.muster('land', card.id, '--squash', '--merge')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give only one of --squash, --merge.'),
  })
  expect(await home.muster('land', card.id)).toMatchObject({
    code: 0,
    stdout: `${card.id} is already on main as ${landed.commit.slice(0, 12)}.\n`,
  })
  expect(repo.git('rev-parse', 'main')).toBe(landed.commit)
})

test('landing on a full disk changes nothing and reports the full disk', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const card = await shellCard(home, 'echo work >page', '--workspace', `worktree:${repo.path}`)
  await home.dispatch('--wait')
  const before = repo.git('rev-parse', 'main')
  const trap = makeGitTrap()
  home.env['PATH'] = trap.env.PATH
  for (const call of ['merge-tree', 'commit-tree', 'read-tree -m -u', 'update-ref']) {
    trap.set(call, 'echo "error: unable to write file: No space left on device" >&2; exit 128')
    const { code, stderr } = await home.muster('land', card.id, '--json')
    expect([call, trap.hasSprung(), code, JSON.parse(stderr)]).toMatchObject([
      call,
      true,
      1,
      { error: { code: 'disk_full', message: `The disk that holds ${repo.path} is full: free some space.` } },
    ])
    expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([before, ''])
  }
  expect((await home.muster('land', card.id)).code).toBe(0)
})

test('`show` and `gc` offer to land finished work, and `checkout` names its branch', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const card = await shellCard(home, 'echo work >page', '--workspace', `worktree:${repo.path}`)
  await home.dispatch('--wait')
  const page = (await home.runInline('show', card.id)).stdout
  expect(page).toContain(`\nFiles\n  folder      ${home.workspace(card.id, '').replace(/\/$/, '')}\n`)
  expect(page).toContain(`  branch      muster/${card.id}\n  repository  ${repo.path}\n  based on    main at `)
  const offered = [...page.matchAll(/^ {2}muster (diff|land|log|reopen) t_\w+ {2}/gm)].map(([, command]) => command)
  expect(offered).toEqual(['diff', 'land', 'log', 'reopen'])
  home.env['MUSTER_WORKSPACE_STAYS_MS'] = '1'
  expect((await home.runInline('gc')).stdout).toContain(`have not landed on main. To land it: muster land ${card.id}. `)
  expect((await home.runInline('land', card.id)).code).toBe(0)
  expect((await home.runInline('gc', '--yes')).code).toBe(0)
  expect(existsSync(home.workspace(card.id, 'page'))).toBe(false)
  expect(await home.runInline('checkout', card.id)).toMatchObject({
    stdout: `${repo.path}\n`,
    stderr: expect.stringContaining(`The worktree was removed, so ${repo.path} is now on branch muster/${card.id}.`),
  })
})

test('a reviewer sees committed work in a clean worktree', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const seen = join(testFolder(), 'seen')
  const script = join(testFolder(), 'review.sh')
  writeFileSync(script, `git status --porcelain >${seen}\ngit log -1 --format=%s%n%b --stat >>${seen}\necho fine\n`)
  writeAgent(home, 'critic', `harness: command\nargs: [/bin/sh, ${script}]`)
  const asks = `"${process.execPath}" "${BIN}" request-review "$MUSTER_TASK" --summary made`
  const place = ['--workspace', `worktree:${repo.path}`, '--reviewer', 'critic']
  const card = await shellCard(home, `echo work >page; ${asks}`, ...place)
  await home.dispatch('--wait')
  const { status, runs } = await home.show(card.id)
  expect([status, runs[0]?.changes?.commit]).toEqual(['review', repo.git('rev-parse', `muster/${card.id}`)])
  await home.dispatch('--wait')
  expect(await home.show(card.id)).toMatchObject({ status: 'done' })
  expect(readFileSync(seen, 'utf8')).toMatch(
    new RegExp(`^a card\\nMuster-Card: ${card.id}\\nMuster-Run: ${runs[0]?.id}\\n[^]* page \\| 1 `),
  )
})

test('`show` reports the commits of a reopened card that have not landed', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const card = await shellCard(home, 'echo work >>page', '--workspace', `worktree:${repo.path}`)
  await home.dispatch('--wait')
  expect((await home.runInline('land', card.id)).code).toBe(0)
  const newer = 'newer commits have not landed'
  expect((await home.runInline('show', card.id)).stdout).not.toContain(newer)
  expect((await home.runInline('reopen', card.id)).code).toBe(0)
  await home.dispatch('--wait')
  const page = (await home.runInline('show', card.id)).stdout
  expect(page).toMatch(new RegExp(`landed +main at [0-9a-f]{12}; ${newer}\n`))
  expect(page).toMatch(new RegExp(`^ {2}muster land ${card.id} {4}put the changes on main$`, 'm'))
  expect(
    (await home.runInline('show', card.id, '--state-type', 'outcome', '--state-name', 'crashed')).stdout,
  ).toContain(newer)
  expect((await home.runInline('reopen', card.id)).code).toBe(0)
  expect((await home.runInline('show', card.id)).stdout).toMatch(new RegExp(`landed .*; ${newer}\n`))
  await home.dispatch('--wait')
  expect((await home.runInline('land', card.id)).code).toBe(0)
  expect((await home.runInline('show', card.id)).stdout).not.toContain(newer)
})

test('`checkout` switches to the branch if a person deleted the worktree', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const place = ['--workspace', `worktree:${repo.path}`, '--branch', 'feat/x']
  const first = await shellCard(home, 'echo work >page', ...place)
  const second = await shellCard(home, 'echo more >>page', ...place, '--parent', first.id)
  await home.dispatch('--wait')
  await home.dispatch('--wait')
  // The user's own worktree is missing too, for example because its disk is not mounted.
  const users = join(testFolder(), 'users')
  repo.git('worktree', 'add', '--quiet', '-b', 'mine', users)
  for (const folder of [users, home.workspace(first.id, '.')]) rmSync(folder, { recursive: true })
  expect(await home.runInline('checkout', second.id)).toMatchObject({ code: 0, stdout: `${repo.path}\n` })
  expect(repo.git('branch', '--show-current')).toBe('feat/x')
  expect(readFileSync(join(repo.path, 'page'), 'utf8')).toBe('work\nmore\n')
  expect(repo.git('worktree', 'list', '--porcelain')).toContain(`worktree ${users}\n`)
})

test('work does not land on a branch while a card runs in its worktree', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const place = ['--workspace', `worktree:${repo.path}`]
  const card = await shellCard(home, 'echo work >page', ...place)
  await home.dispatch('--wait')
  const other = await shellCard(home, WAITS, ...place, '--branch', 'feat/x')
  await home.dispatch()
  await home.until('the other card has begun', () => appeared(home.workspace(other.id, 'begun')))
  const before = repo.git('rev-parse', 'feat/x')
  expect(await home.runInline('land', card.id, '--into', 'feat/x')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Card ${other.id} is running on branch feat/x`) as string,
  })
  expect(repo.git('rev-parse', 'feat/x')).toBe(before)
  writeFileSync(home.workspace(other.id, 'go'), '')
  await home.until('the other card is done', async () => (await home.show(other.id)).status === 'done')
  expect((await home.runInline('land', card.id, '--into', 'feat/x')).code).toBe(0)
})

test('`diff`, `checkout` and `land` report a missing repository', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const card = await shellCard(home, 'echo work >page', '--workspace', `worktree:${repo.path}`)
  await home.dispatch('--wait')
  renameSync(repo.path, `${repo.path}-moved`)
  for (const command of ['diff', 'checkout', 'land']) {
    const refused = await home.runInline(command, card.id, '--json')
    expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([1, { error: { code: `${command}_refused` } }])
  }
})

test('`land` reports that a card without changes has nothing to land', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const card = await shellCard(home, 'true', '--workspace', `worktree:${repo.path}`)
  await home.dispatch('--wait')
  expect((await home.runInline('diff', card.id)).stdout).toContain('No changes')
  const head = repo.git('rev-parse', 'main')
  expect((await home.runInline('land', card.id)).stdout).toContain('has no changes for main')
  expect(repo.git('rev-parse', 'main')).toBe(head)
})

test("commits on a detached HEAD land only after the card's branch contains the commits", async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const commit = 'git -c user.name=a -c user.email=a@b commit --quiet --message mine'
  const body = `git checkout --quiet --detach; echo work >page; git add page; ${commit}`
  const card = await shellCard(home, body, '--workspace', `worktree:${repo.path}`)
  await home.dispatch('--wait')
  const refused = await home.runInline('land', card.id)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is on no branch, with commits that') })
  expect(await home.show(card.id)).toMatchObject({ status: 'done', landed: null })
  const tree = home.workspace(card.id, '.')
  gitIn(tree, 'branch', '--force', `muster/${card.id}`, 'HEAD')
  gitIn(tree, 'switch', '--quiet', `muster/${card.id}`)
  expect(await home.runInline('land', card.id)).toMatchObject({ code: 0 })
  expect(existsSync(join(repo.path, 'page'))).toBe(true)
})

test('submodule work lands only when its commits are pushed', async () => {
  const home = await openHome('sqlite')
  const inner = makeRepository()
  inner.git('config', 'receive.denyCurrentBranch', 'ignore')
  const repo = makeRepository()
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'inner')
  repo.commit('with a submodule')
  const user = testFolder()
  writeFileSync(join(user, '.gitconfig'), '[protocol "file"]\n\tallow = always\n')
  const card = await shellCard(home, 'echo new >inner/readme', '--workspace', `worktree:${repo.path}`)
  await home.start(['dispatch', '--wait'], { env: { HOME: user } }).ended
  expect((await home.show(card.id)).runs).toMatchObject([
    { outcome: 'completed', changes: { note: 'the changes in submodule inner were not committed' } },
  ])
  const tree = home.workspace(card.id, 'inner')
  const land = () => home.runInline('land', card.id)
  expect((await land()).stderr).toContain('The submodule inner has uncommitted changes: commit and push them in')
  gitIn(tree, 'commit', '--quiet', '--all', '--message', 'inner')
  gitIn(home.workspace(card.id, '.'), 'commit', '--quiet', '--all', '--message', 'outer')
  expect((await land()).stderr).toContain('The submodule inner is at a commit that no remote has: push it in')
  gitIn(tree, 'push', '--quiet', 'origin', 'HEAD:main')
  expect(await land()).toMatchObject({ code: 0 })
  expect(repo.git('rev-parse', 'main:inner')).toBe(inner.git('rev-parse', 'main'))
})

test('a supervisor killed during its commit leaves one commit and a completed run', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  repo.write('.gitattributes', '*.txt filter=x\n')
  repo.commit('attributes')
  // The filter kills the supervisor when it runs for the first time, in the middle of the commit.
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
