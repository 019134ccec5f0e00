// Landings that are cut off: the next one comes to the same end, and the user's checkout is clean again.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeGitTrap } from '../helpers/git-trap.ts'
import { makeRepository, testFolder } from '../helpers/repository.ts'
import { openHome, shellCard } from '../scenarios/stage.ts'

const KILL_MUSTER = 'kill -9 $PPID; exit 1'
/** What the agent does: changed, removed and new files, one of them in a new folder. */
const WORK =
  'for name in a b c; do echo new >$name.txt; done; rm old.txt; mkdir deep; echo new >deep/d.txt; echo new >e.txt'

/** A finished card whose base has advanced, and a user whose git can be stopped in the middle. */
async function setUp() {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  repo.write('.gitattributes', '*.txt filter=x\n')
  for (const name of ['a', 'b', 'c', 'old']) repo.write(`${name}.txt`, 'old\n')
  repo.commit('files')
  const trap = makeGitTrap()
  const user = testFolder()
  const armed = join(user, 'armed')
  // It is asked for each file in turn; at the third it ends the git that asks, and the parent of that if told to.
  const smudge = join(user, 'smudge')
  const parent = "$(sed -n 's/^PPid:[^0-9]*//p' /proc/$PPID/status)"
  writeFileSync(
    smudge,
    `#!/bin/sh\nif [ -d ${armed} ]; then\n  mkdir ${armed}/$$\n  if [ $(ls ${armed} | grep -c '^[0-9]') = 3 ]; then\n    [ -e ${armed}/both ] && kill -9 ${parent}\n    kill -9 $PPID\n    exit 1\n  fi\nfi\nexec cat\n`,
  )
  chmodSync(smudge, 0o755)
  writeFileSync(
    join(user, '.gitconfig'),
    `[user]\n\tname = Ada\n\temail = ada@example.org\n[filter "x"]\n\tclean = cat\n\tsmudge = ${smudge}\n\trequired = true\n`,
  )
  const env = { HOME: user, ...trap.env }
  const card = await shellCard(home, WORK, '--workspace', `worktree:${repo.path}`)
  await home.start(['dispatch', '--wait'], { env }).ended
  repo.write('readme', 'meanwhile\n')
  const base = repo.commit('meanwhile')
  const land = (...flags: string[]) => home.start(['land', card.id, ...flags], { env }).ended
  const arm = (both: boolean): void => {
    mkdirSync(armed)
    if (both) writeFileSync(join(armed, 'both'), '')
  }
  /** Whether git was ended in the middle of the files. */
  const disarm = (): boolean => {
    const hasSprung = existsSync(armed) && readdirSync(armed).filter((name) => name !== 'both').length >= 3
    rmSync(armed, { recursive: true, force: true })
    return hasSprung
  }
  const left = (): string[] => readdirSync(join(repo.path, '.git')).filter((name) => /muster|\.lock$/.test(name))
  return { home, repo, trap, card, base, land, arm, disarm, left, env }
}

test.each(['squash', 'merge', 'rebase'] as const)(
  'a landing by %s that is killed again and again ends well',
  async (strategy) => {
    const { home, repo, trap, card, base, land, arm, disarm, left } = await setUp()
    const strategyFlag = `--${strategy}`
    trap.set('update-ref -m', KILL_MUSTER)
    await land(strategyFlag)
    expect(trap.hasSprung()).toBe(true)
    expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([base, ''])

    trap.set('read-tree -m -u', KILL_MUSTER)
    await land(strategyFlag)
    expect(trap.hasSprung()).toBe(true)
    const landed = repo.git('rev-parse', 'main')
    expect(landed).not.toBe(base)

    arm(true)
    await land(strategyFlag)
    expect(disarm()).toBe(true)
    expect(repo.git('status', '--porcelain')).not.toBe('')

    expect(await land(strategyFlag)).toMatchObject({ code: 0 })
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(repo.git('rev-parse', 'main')).toBe(landed)
    expect(repo.git('ls-files', '*.txt').split('\n')).toEqual(['a.txt', 'b.txt', 'c.txt', 'deep/d.txt', 'e.txt'])
    expect(repo.git('diff', '--stat', landed, '--')).toBe('')
    expect(left()).toEqual([])
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2)
    expect(await home.show(card.id)).toMatchObject({ landed: { commit: landed, into: 'main' } })
  },
)

test.each([
  ['before it changed anything', 'read-tree -n -m -u', ['dispatch']],
  ['while it changed the files', 'read-tree -m -u', ['dispatch']],
  ['while it changed the files', 'read-tree -m -u', ['diff']],
  ['while it changed the files', 'read-tree -m -u', ['checkout']],
])('a checkout that is locked by a landing killed %s (%s) is unlocked by muster %s', async (_, stage, [verb = '']) => {
  const { home, repo, trap, card, base, land, left, env } = await setUp()
  trap.set(stage, KILL_MUSTER)
  await land()
  expect(trap.hasSprung()).toBe(true)
  expect(left()).toContain('index.lock')
  const next = home.start(verb === 'dispatch' ? [verb] : [verb, card.id], { env })
  expect((await next.ended).code).toBe(0)
  expect(left()).toEqual([])
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(repo.git('rev-parse', 'main') === base).toBe(stage.includes('-n'))
  expect(await land()).toMatchObject({ code: 0 })
  expect(await home.show(card.id)).toMatchObject({ landed: { into: 'main' } })
})

test('a landing whose git is ended in the middle takes everything back', async () => {
  const { repo, base, land, arm, disarm, left } = await setUp()
  arm(false)
  expect(await land()).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing changed') })
  expect(disarm()).toBe(true)
  expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([base, ''])
  expect(left()).toEqual([])
  expect(await land()).toMatchObject({ code: 0 })
  expect(repo.git('status', '--porcelain')).toBe('')
})

test('a branch that moves while a card lands stays as it is, and the card can land again', async () => {
  const { home, repo, trap, card, land } = await setUp()
  const mover = `"$git" -C ${repo.path} -c user.name=a -c user.email=a@b`
  trap.set(
    'update-ref -m',
    `${mover} update-ref refs/heads/main "$(${mover} commit-tree -p main -m moved 'main^{tree}')"\n`,
  )
  expect(await land()).toMatchObject({ code: 4, stderr: expect.stringContaining(`run muster land ${card.id} again`) })
  expect(repo.git('log', '-1', '--format=%s', 'main')).toBe('moved')
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(await home.show(card.id)).toMatchObject({ landed: null })
  expect(await land()).toMatchObject({ code: 0 })
  expect(repo.git('log', '-2', '--format=%s', 'main').split('\n')).toEqual([card.title, 'moved'])
})
