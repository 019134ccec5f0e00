// Tests interrupted landings: afterwards HEAD, index and files of the user's checkout agree, and the card can land.
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { TaskView } from '../../src/storage/store.ts'
import { makeTestHome } from '../helpers/cli.ts'
import { makeStage } from '../helpers/file-tree.ts'
import { makeGitTrap } from '../helpers/git-trap.ts'
import { makeRepository, repositoryAt } from '../helpers/repository.ts'
import { shellCard } from '../helpers/run-cards.ts'
import { placeHome } from '../helpers/store-template.ts'

/** Whether to kill at more places and with more commands, with `npm run prove -- landing`. */
const IS_FULL = process.env['MUSTER_TEST_LANDING'] === 'full'

const KILL_MUSTER = 'kill -9 $PPID; exit 1'
const KILL_MUSTER_AFTER = '"$git" "$@"; kill -9 $PPID; exit 1'
/** Git itself continues. */
const KILL_MUSTER_ALONE = 'kill -9 $PPID; sleep 1'
/** The agent's work: changed, removed and new files, a file that becomes a folder, and a folder that becomes a file. */
const WORK = [
  'for name in a b c; do echo new >$name.txt; done; rm old.txt; mkdir deep; echo new >deep/d.txt; echo new >e.txt',
  'rm file; mkdir file; echo new >file/x.txt; rm -r folder.txt; echo new >folder.txt',
].join('\n')
/** A command that prints its last argument but one. */
const NEXT_TO_LAST = `sh -c 'while [ $# -gt 2 ]; do shift; done; echo $1' sh`
const LANDED = ['a.txt', 'b.txt', 'c.txt', 'deep/d.txt', 'e.txt', 'file/x.txt', 'folder.txt']

const home = makeTestHome('sqlite', afterAll)
const around = join(home.home, '..')
const repo = repositoryAt(join(around, 'repo'))
const user = join(around, 'user')
const armed = join(user, 'armed')
let card: TaskView
let base: string

/** A finished card whose base branch has advanced, in the data folder of the home. */
const stage = makeStage(async () => {
  await placeHome(home.home, home.env)
  makeRepository(repo.path)
  repo.write('.gitattributes', '*.txt filter=x\n')
  for (const name of ['a', 'b', 'c', 'old']) repo.write(`${name}.txt`, 'old\n')
  repo.write('file', 'old\n')
  repo.write('folder.txt/y.txt', 'old\n')
  repo.commit('files')
  mkdirSync(user)
  // Git runs this filter for each file. At the chosen file, the filter kills git. With `both`, it also kills git's
  // parent.
  const smudge = join(user, 'smudge')
  const parent = "$(sed -n 's/^PPid:[^0-9]*//p' /proc/$PPID/status)"
  writeFileSync(
    smudge,
    `#!/bin/sh\nif [ -d ${armed} ]; then\n  mkdir ${armed}/$$\n  if [ $(ls ${armed} | grep -c '^[0-9]') = $(cat ${armed}/at) ]; then\n    [ -e ${armed}/both ] && kill -9 ${parent}\n    kill -9 $PPID\n    exit 1\n  fi\nfi\nexec cat\n`,
  )
  chmodSync(smudge, 0o755)
  writeFileSync(
    join(user, '.gitconfig'),
    `[user]\n\tname = Ada\n\temail = ada@example.org\n[filter "x"]\n\tclean = cat\n\tsmudge = ${smudge}\n\trequired = true\n`,
  )
  card = await shellCard(home, WORK, '--workspace', `worktree:${repo.path}`)
  await home.start(['dispatch', '--wait'], { env: { HOME: user } }).ended
  repo.write('readme', 'meanwhile\n')
  base = repo.commit('meanwhile')
}, around)

/** Restores the finished card, with a git that can be killed in the middle of a command. */
async function setUp() {
  await stage.restore()
  const trap = makeGitTrap()
  const env = { HOME: user, ...trap.env }
  const land = (...flags: string[]) => home.start(['land', card.id, ...flags], { env }).ended
  const arm = (both: boolean, at = 3): void => {
    mkdirSync(armed)
    writeFileSync(join(armed, 'at'), String(at))
    if (both) writeFileSync(join(armed, 'both'), '')
  }
  /** Returns whether the filter killed git. */
  const disarm = (): boolean => {
    const at = Number(readFileSync(join(armed, 'at')))
    const hasSprung = readdirSync(armed).filter((name) => /^\d/.test(name)).length >= at
    rmSync(armed, { recursive: true, force: true })
    return hasSprung
  }
  const left = (): string[] => readdirSync(join(repo.path, '.git')).filter((name) => /muster|\.lock$/.test(name))
  const dispatch = () => home.start(['dispatch'], { env }).ended
  /** Checks that HEAD, index and files agree, except for `changes`, and that a landed card has its commit on main. */
  const expectAgreement = async (head: string, changes = ''): Promise<void> => {
    expect(left()).toEqual([])
    expect(repo.git('diff', '--cached', '--name-only')).toBe('')
    expect(repo.git('status', '--porcelain')).toBe(changes)
    expect(repo.git('rev-parse', 'main')).toBe(head)
    const { landed } = (await home.show(card.id)) as { landed: { commit: string } | null }
    const commit = landed?.commit ?? base
    expect(repo.git('merge-base', 'main', commit)).toBe(commit)
  }
  return { trap, land, dispatch, arm, disarm, left, env, expectAgreement }
}

test.each(IS_FULL ? (['squash', 'rebase'] as const) : (['squash'] as const))(
  'a landing by %s that is killed repeatedly still succeeds',
  async (strategy) => {
    const { trap, land, arm, disarm, left } = await setUp()
    const strategyFlag = `--${strategy}`
    trap.set('update-ref -m', KILL_MUSTER)
    await land(strategyFlag)
    expect(trap.hasSprung()).toBe(true)
    expect(repo.git('rev-parse', 'main')).toBe(base)

    arm(true)
    await land(strategyFlag)
    expect(disarm()).toBe(true)
    expect(repo.git('rev-parse', 'main')).toBe(base)

    trap.set('update-ref -m', KILL_MUSTER_AFTER)
    await land(strategyFlag)
    expect(trap.hasSprung()).toBe(true)
    const landed = repo.git('rev-parse', 'main')
    expect(landed).not.toBe(base)

    expect(await land(strategyFlag)).toMatchObject({ code: 0 })
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(repo.git('rev-parse', 'main')).toBe(landed)
    expect(repo.git('ls-files', '*.txt').split('\n')).toEqual(LANDED)
    expect(repo.git('diff', '--stat', landed, '--')).toBe('')
    expect(left()).toEqual([])
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2)
    expect(await home.show(card.id)).toMatchObject({ landed: { commit: landed, into: 'main' } })
  },
)

const UNDONE_BY = [
  ['read-tree -n -m -u', 'dispatch'],
  ['read-tree -m -u', 'checkout'],
] as const
const ALSO_UNDONE_BY = [
  ['read-tree -m -u', 'dispatch'],
  ['read-tree -m -u', 'diff'],
] as const

test.each(IS_FULL ? [...UNDONE_BY, ...ALSO_UNDONE_BY] : UNDONE_BY)(
  'a landing killed at git %s is undone by muster %s',
  async (call, command) => {
    const { trap, land, left, env } = await setUp()
    trap.set(call, KILL_MUSTER)
    await land()
    expect(trap.hasSprung()).toBe(true)
    expect(left()).toContain('index.lock')
    const next = home.start(command === 'dispatch' ? [command] : [command, card.id], { env })
    expect((await next.ended).code).toBe(0)
    expect(left()).toEqual([])
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(repo.git('rev-parse', 'main')).toBe(base)
    expect(await land()).toMatchObject({ code: 0 })
    expect(await home.show(card.id)).toMatchObject({ landed: { into: 'main' } })
  },
)

test('a landing that is killed before or after a git command is undone', async () => {
  const { trap, land, dispatch, expectAgreement } = await setUp()
  const steps: [string, string][] = [
    ['update-index -q --refresh', KILL_MUSTER],
    ['read-tree -m -u', KILL_MUSTER_AFTER],
    ['update-ref -m', KILL_MUSTER],
  ]
  for (const [call, act] of steps) {
    trap.set(call, act)
    await land()
    expect(trap.hasSprung()).toBe(true)
    await dispatch()
    await expectAgreement(base)
  }
})

// Git is killed at different files. Among the last, git checks out the folder that replaces a file.
test.each(IS_FULL ? [1, 5, 7] : [7])('a landing and its recovery can be killed at file %i', async (at) => {
  const { trap, land, dispatch, arm, disarm, expectAgreement } = await setUp()
  arm(true, at)
  await land()
  expect(disarm()).toBe(true)
  arm(true, 2)
  await dispatch()
  expect(disarm()).toBe(true)
  trap.set('update-index -q --refresh', KILL_MUSTER)
  await dispatch()
  await dispatch()
  await expectAgreement(base)
  expect(await land()).toMatchObject({ code: 0 })
  expect(await home.show(card.id)).toMatchObject({ landed: { into: 'main' } })
})

test('a killed recovery runs again if the landing had moved the branch', async () => {
  const { trap, land, dispatch, expectAgreement } = await setUp()
  trap.set('update-ref -m', KILL_MUSTER_AFTER)
  await land()
  const landed = repo.git('rev-parse', 'main')
  expect(landed).not.toBe(base)
  trap.set('read-tree -i -m', KILL_MUSTER)
  await dispatch()
  expect(trap.hasSprung()).toBe(true)
  await dispatch()
  await expectAgreement(landed)
  expect(repo.git('ls-files', '*.txt').split('\n')).toEqual(LANDED)
  expect(await land()).toMatchObject({ code: 0 })
  expect(await home.show(card.id)).toMatchObject({ landed: { commit: landed } })
})

test.each(IS_FULL ? ['read-tree -m -u', 'update-ref -m'] : ['update-ref -m'])(
  'a git process (%s) that outlives its landing changes nothing after the recovery',
  async (call) => {
    const { trap, land, dispatch, expectAgreement } = await setUp()
    trap.set(call, KILL_MUSTER_ALONE)
    await land()
    expect(trap.hasSprung()).toBe(true)
    await dispatch()
    // On a busy machine, git may have moved the branch before the recovery began.
    const head = repo.git('rev-parse', 'main')
    await expectAgreement(head)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await expectAgreement(head)
    expect(await land()).toMatchObject({ code: 0 })
  },
)

test('a killed git process leaves no locks on the branch', async () => {
  const { trap, land, dispatch, expectAgreement } = await setUp()
  const locks = [join(repo.path, '.git/refs/heads/main.lock'), join(repo.path, '.git/HEAD.lock')] as const
  const commit = `"$(${NEXT_TO_LAST} "$@")"`
  trap.set('update-ref -m', `echo ${commit} >${locks[0]}; : >${locks[1]}; ${KILL_MUSTER}`)
  await land()
  expect(locks.map((lock) => existsSync(lock))).toEqual([true, true])
  await dispatch()
  expect(locks.map((lock) => existsSync(lock))).toEqual([false, false])
  await expectAgreement(base)

  trap.set('update-ref -m', `"$git" "$@"; : >${locks[1]}; ${KILL_MUSTER}`)
  await land()
  expect(existsSync(locks[1])).toBe(true)
  await dispatch()
  expect(existsSync(locks[1])).toBe(false)

  // These locks look like locks of the user's own git, so they stay.
  repo.git('reset', '--quiet', '--hard', base)
  trap.set('update-ref -m', `echo ${base} >${locks[0]}; : >${locks[1]}; ${KILL_MUSTER}`)
  await land()
  await dispatch()
  expect(locks.map((lock) => existsSync(lock))).toEqual([true, true])
})

test('recovering a landing keeps edits that the user made after the kill', async () => {
  const { land, dispatch, arm, disarm, expectAgreement } = await setUp()
  arm(true, 7)
  await land()
  expect(disarm()).toBe(true)
  repo.write('a.txt', 'new\nand mine\n')
  repo.write('c.txt', 'mine\n')
  // The file gets the same content as before the landing.
  repo.write('b.txt', 'old\n')
  repo.write('deep/mine.txt', 'mine\n')
  await dispatch()
  await expectAgreement(base, 'M a.txt\n M c.txt\n?? deep/')
  expect(readFileSync(join(repo.path, 'a.txt'), 'utf8')).toBe('new\nand mine\n')
  expect(readdirSync(join(repo.path, 'deep'))).toEqual(['mine.txt'])
  expect(await land()).toMatchObject({ code: 1, stderr: expect.stringContaining('uncommitted changes (a.txt, c.txt)') })
  repo.git('checkout', '--quiet', 'c.txt')
  repo.git('commit', '--quiet', '--all', '--message', 'mine')
  expect(repo.git('show', '--stat', '--format=', 'HEAD')).toContain('1 file changed')
  expect(await land()).toMatchObject({ code: 1, stderr: expect.stringContaining('conflicts with main in a.txt') })
  expect(await home.show(card.id)).toMatchObject({ landed: null })
})

test('recovering only the index keeps edits that the user made after the kill', async () => {
  const { trap, land, dispatch, expectAgreement } = await setUp()
  trap.set('update-ref -m', KILL_MUSTER_AFTER)
  await land()
  expect(trap.hasSprung()).toBe(true)
  repo.write('a.txt', 'mine\n')
  rmSync(join(repo.path, 'b.txt'))
  const landed = repo.git('rev-parse', 'main')
  expect(landed).not.toBe(base)
  await dispatch()
  await expectAgreement(landed, 'M a.txt\n D b.txt')
})

test('a landing is undone completely when its git process is killed', async () => {
  const { land, arm, disarm, left } = await setUp()
  arm(false)
  expect(await land()).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing changed') })
  expect(disarm()).toBe(true)
  expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([base, ''])
  expect(left()).toEqual([])
  expect(await land()).toMatchObject({ code: 0 })
  expect(repo.git('status', '--porcelain')).toBe('')
})

test('a branch that moves during a landing is kept, and the card can land', async () => {
  const { trap, land } = await setUp()
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
