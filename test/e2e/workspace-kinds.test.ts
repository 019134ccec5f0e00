// Tests the user's own directories, which one card at a time uses, and worktrees that the board creates.
import { existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { newTaskId } from '../../src/util/mint.ts'
import { WAITS, isGone, openHome, outcomesOf, shellCard, statusOf } from '../helpers/run-cards.ts'
import { BIN } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { makeRepository, testFolder } from '../helpers/repository.ts'
import { person } from '../helpers/sample.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'

const ids = (cards: readonly { readonly id: TaskId }[]): TaskId[] => cards.map(({ id }) => id)

const eventOf = async (home: TestHome, id: TaskId, kind: string) =>
  (await (await home.store()).taskEvents('default', id)).find((event) => event.kind === kind)

describe.each(SURFACE_ENGINES)('a directory (%s)', (engine) => {
  test('a card works in the given directory, and every command shows the directory', async () => {
    const home = await openHome(engine)
    const folder = testFolder()
    writeFileSync(join(folder, 'mine'), 'mine')
    const body = 'cat mine; pwd -P >where; echo "$MUSTER_WORKSPACE" >told'
    const card = await shellCard(
      home,
      body,
      '--workspace',
      `dir:${folder}`,
      '--check',
      'test -s told',
      '--check',
      'file:mine',
    )
    await home.dispatch('--wait')
    const shown = await home.show(card.id)
    expect(shown).toMatchObject({ status: 'done', result: 'mine', workspace: { kind: 'dir', path: folder } })
    expect(readFileSync(join(folder, 'where'), 'utf8')).toBe(`${folder}\n`)
    expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(`${folder}\n`)
    expect((await home.muster('context', card.id)).stdout).toContain(`Workspace: dir @ \`${folder}\``)
    expect(JSON.parse((await home.muster('check', card.id, '--json')).stdout)).toMatchObject([
      { ok: true },
      { ok: true },
    ])
    expect(existsSync(home.workspace(card.id, ''))).toBe(false)
  })

  test('cards that share a directory run one after the other (scenario 55)', async () => {
    const home = await openHome(engine)
    const folder = testFolder()
    const link = join(testFolder(), 'link')
    symlinkSync(folder, link)
    const first = await shellCard(home, WAITS, '--workspace', `dir:${folder}`)
    const second = await shellCard(home, 'echo second >>begun', '--workspace', `dir:${link}`)
    const other = await shellCard(home, 'true', '--workspace', `dir:${testFolder()}`)

    const foreseen = await home.dispatch('--dry-run')
    expect(ids(foreseen.started)).toEqual([first.id, other.id])
    expect(foreseen.deferred).toMatchObject([
      { id: second.id, reason: expect.stringContaining(`${first.id} works in the same directory.`) },
    ])

    const { started, deferred } = await home.dispatch()
    expect([ids(started), ids(deferred)]).toEqual([[first.id, other.id], [second.id]])
    const why = await home.muster('why', second.id)
    expect(why.stdout).toContain(`${first.id} works in the same directory.`)
    expect(why.stdout).toContain(`The card starts when the run of ${first.id} ends`)
    expect(ids((await home.dispatch('--dry-run')).started)).toEqual([])

    writeFileSync(join(folder, 'go'), '')
    await home.until('the first is done', async () => (await statusOf(home, first.id)) === 'done')
    await home.dispatch('--wait')
    expect(readFileSync(join(folder, 'begun'), 'utf8')).toBe('begun\nsecond\n')
    expect((await home.show(second.id)).workspace.path).toBe(folder)
  })
})

test('cards of a board with shared directories run in parallel', async () => {
  const home = await openHome('sqlite')
  expect((await home.muster('boards', 'set', 'default', 'sharedDirectories=on')).code).toBe(0)
  const where = ['--workspace', `dir:${testFolder()}`]
  const cards = [await shellCard(home, WAITS, ...where), await shellCard(home, WAITS, ...where)]
  expect(ids((await home.dispatch()).started)).toEqual(ids(cards))
})

test('cards that wait for one directory do not delay other cards', async () => {
  const home = await openHome('sqlite')
  const folder = testFolder()
  const workspace = { kind: 'dir', path: folder } as const
  const cards = Array.from({ length: 60 }, () => ({
    id: newTaskId(),
    title: 'x',
    assignee: 'shell',
    body: WAITS,
    workspace,
  }))
  unwrap(await (await home.store()).decide({ verb: 'create', board: 'default', actor: person, input: { cards } }))
  const other = await shellCard(home, 'true')
  const started = ids((await home.dispatch()).started)
  expect(started).toHaveLength(2)
  expect(started).toContain(other.id)
})

test('an invalid directory is refused or fails its run (scenario 53)', async () => {
  const home = await openHome('sqlite')
  await home.setBoard({ failureLimit: 1 })
  const relative = await home.muster('create', 'x', '--workspace', 'dir:some/where')
  expect([relative.code, relative.stderr]).toEqual([2, expect.stringContaining('is relative')])
  const folder = testFolder()
  writeFileSync(join(folder, 'file'), '')
  const missing = await shellCard(home, 'true', '--workspace', `dir:${folder}/missing`)
  const file = await shellCard(home, 'true', '--workspace', `dir:${folder}/file`)
  const good = await shellCard(home, 'true', '--workspace', `dir:${folder}`)
  await home.dispatch('--wait')
  expect(await home.show(missing.id)).toMatchObject({
    status: 'blocked',
    consecutiveFailures: 1,
    lastError: expect.stringContaining(`Directory ${folder}/missing does not exist`) as string,
    runs: [{ outcome: 'spawn_failed' }],
  })
  expect((await home.show(file.id)).lastError).toContain(`${folder}/file is not a directory`)
  expect(await statusOf(home, good.id)).toBe('done')
  expect(existsSync(join(folder, 'missing'))).toBe(false)
})

describe('a worktree', () => {
  test("a worktree is created on the card's branch with its base", async () => {
    const home = await openHome('sqlite')
    const repo = makeRepository()
    const base = repo.git('rev-parse', 'HEAD')
    const card = await shellCard(
      home,
      'cat readme; echo new >new',
      '--workspace',
      `worktree:${repo.path}`,
      '--check',
      'file:new',
    )
    await home.dispatch('--wait')
    const path = home.workspace(card.id, '.').replace(/\/\.?$/, '')
    expect(await home.show(card.id)).toMatchObject({
      status: 'done',
      result: 'hello',
      branch: `muster/${card.id}`,
      workspace: { kind: 'worktree', path, repo: repo.path, state: 'live', base, baseBranch: 'main' },
    })
    expect((await eventOf(home, card.id, 'worktree_made'))?.data).toMatchObject({ branch: `muster/${card.id}`, base })
    expect(repo.git('branch', '--list', '--format=%(refname:short)').split('\n')).toEqual(['main', `muster/${card.id}`])
    expect(repo.git('status', '--porcelain')).toBe('')
    expect((await home.muster('context', card.id)).stdout).toContain(`Branch: \`muster/${card.id}\``)
  })

  test("a worktree uses the board's repository and the card's branch", async () => {
    const home = await openHome('sqlite')
    const repo = makeRepository()
    await home.setBoard({ defaultDirectory: repo.path })
    const card = await shellCard(home, 'git symbolic-ref --short HEAD', '--workspace', 'worktree', '--branch', 'fix/it')
    await home.dispatch('--wait')
    expect(await home.show(card.id)).toMatchObject({ status: 'done', result: 'fix/it', workspace: { repo: repo.path } })
  })

  test('a retry finds the worktree with the changes of earlier attempts', async () => {
    const home = await openHome('sqlite')
    await home.setBoard({ retryBaseMs: 1, worktreeSetup: 'echo once >>../setups' })
    const repo = makeRepository()
    const body = 'if [ -e half ]; then cat half; else echo half done >half; exit 1; fi'
    const card = await shellCard(home, body, '--workspace', `worktree:${repo.path}`)
    await home.dispatch('--wait')
    await home.dispatch('--wait')
    expect(await home.show(card.id)).toMatchObject({ status: 'done', result: 'half done' })
    expect(await outcomesOf(home, card.id)).toEqual(['crashed', 'completed'])
    expect(readFileSync(home.workspace(card.id, '../setups'), 'utf8')).toBe('once\n')
    expect((await home.muster('edit', card.id, '--branch', 'other')).stderr).toContain('already exists')
  })

  test('a setup runs once per worktree, and its output is logged', async () => {
    const home = await openHome('sqlite')
    const repo = makeRepository()
    repo.write('.env', 'KEY=1')
    const settings = ['worktreeCopy=.env', 'worktreeLink=deps', 'worktreeSetup=echo installing; cat .env >made']
    expect((await home.muster('boards', 'set', 'default', ...settings)).code).toBe(0)
    const card = await shellCard(home, 'test -s made', '--workspace', `worktree:${repo.path}`)
    await home.dispatch('--wait')
    expect(await home.show(card.id)).toMatchObject({ status: 'done', result: null })
    expect((await home.muster('log', card.id)).stdout).toContain('installing')
    expect(readFileSync(home.workspace(card.id, 'made'), 'utf8')).toBe('KEY=1')
    expect((await eventOf(home, card.id, 'worktree_made'))?.data['notes']).toEqual([
      'deps not linked: the file does not exist in the repository',
    ])
  })

  test('a failed setup is recorded as spawn_failed, and the retry runs the setup again', async () => {
    const home = await openHome('sqlite')
    await home.setBoard({ retryBaseMs: 1, worktreeSetup: 'touch begun; echo no network; exit 7' })
    const repo = makeRepository()
    const card = await shellCard(home, 'echo fine', '--workspace', `worktree:${repo.path}`)
    await home.dispatch('--wait')
    expect((await home.show(card.id)).lastError).toBe(
      'The setup of its worktree failed: touch begun; echo no network; exit 7 (exit 7): no network',
    )
    expect(await outcomesOf(home, card.id)).toEqual(['spawn_failed'])
    expect([repo.git('worktree', 'list').split('\n').length, existsSync(home.workspace(card.id, ''))]).toEqual([
      1,
      false,
    ])
    await home.setBoard({ worktreeSetup: 'test ! -e begun' })
    await home.dispatch('--wait')
    expect(await home.show(card.id)).toMatchObject({ status: 'done', result: 'fine' })
  })

  test('an endless setup is ended with its run', async () => {
    const home = await openHome('sqlite')
    await home.setBoard({ worktreeSetup: 'echo $$ >../setup.pid; sleep 600' })
    const card = await shellCard(home, 'true', '--workspace', `worktree:${makeRepository().path}`)
    await home.dispatch()
    const pid = await home.until('it is being set up', () => {
      const file = home.workspace(card.id, '../setup.pid')
      return existsSync(file) && readFileSync(file, 'utf8').trim()
    })
    expect((await home.muster('stop', card.id)).code).toBe(0)
    await home.until('its setup has ended', () => isGone(Number(pid)))
    expect(await outcomesOf(home, card.id)).toEqual(['stopped'])
  })

  test('if the supervisor was killed during the setup, the setup runs again in a new worktree', async () => {
    const home = await openHome('sqlite')
    await home.setBoard({ worktreeSetup: 'test -e ../again || { touch begun; echo $$ >../setup.pid; sleep 600; }' })
    const card = await shellCard(
      home,
      'test ! -e begun && echo fine',
      '--workspace',
      `worktree:${makeRepository().path}`,
    )
    await home.dispatch()
    const pidFile = home.workspace(card.id, '../setup.pid')
    await home.until('it is being set up', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim() !== '')
    const { supervisor } = await home.liveRun(card.id)
    process.kill(supervisor, 'SIGKILL')
    writeFileSync(home.workspace(card.id, '../again'), '')
    await home.until('the run is closed', async () => {
      await home.dispatch('--wait')
      return (await outcomesOf(home, card.id)).length > 1 && (await statusOf(home, card.id)) === 'done'
    })
    expect(await outcomesOf(home, card.id)).toEqual(['interrupted', 'completed'])
    expect(isGone(Number(readFileSync(pidFile, 'utf8')))).toBe(true)
  })

  test('a worktree without a repository fails and creates nothing (scenario 54)', async () => {
    const home = await openHome('sqlite')
    await home.setBoard({ failureLimit: 1 })
    expect((await home.muster('create', 'x', '--workspace', 'worktree')).stderr).toContain('has no default directory')
    const plain = testFolder()
    const card = await shellCard(home, 'true', '--workspace', `worktree:${plain}`)
    const standing = readdirSync('.')
    await home.dispatch('--wait')
    expect(await home.show(card.id)).toMatchObject({
      status: 'blocked',
      lastError: expect.stringContaining(`${plain} is not a git repository`) as string,
      runs: [{ outcome: 'spawn_failed' }],
    })
    expect([readdirSync(plain), readdirSync('.')]).toEqual([[], standing])
    expect((await home.muster('why', card.id)).stdout).toContain(`muster edit ${card.id} --workspace`)
    expect(await home.muster('edit', card.id, '--workspace', `worktree:${makeRepository().path}`)).toMatchObject({
      code: 0,
    })
    await home.muster('unblock', card.id)
    await home.dispatch('--wait')
    expect(await statusOf(home, card.id)).toBe('done')
  })

  test("a person's check creates the worktree if needed", async () => {
    const home = await openHome('sqlite')
    const repo = makeRepository()
    const card = await shellCard(
      home,
      'true',
      '--workspace',
      `worktree:${repo.path}`,
      '--check',
      'file:readme',
      '--hold',
    )
    const up = home.start(['up'])
    const completed = await home.muster('complete', card.id)
    expect([completed.stderr, completed.code]).toEqual(['', 0])
    expect(await statusOf(home, card.id)).toBe('done')
    up.child.kill('SIGTERM')
  })
})

test('four parallel cards in one repository never fail on a git lock', { timeout: 240_000 }, async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const body = [
    'echo x >"$MUSTER_TASK"',
    'git add .',
    'git -c user.name=w -c user.email=w@example.org commit --quiet --message x',
  ].join(' && ')
  const workspace = { kind: 'worktree', repo: repo.path } as const
  const store = await home.store()
  for (let round = 0; round < 6; round += 1) {
    const cards = Array.from({ length: 4 }, () => ({
      id: newTaskId(),
      title: 'x',
      assignee: 'shell',
      body,
      workspace,
    }))
    unwrap(await store.decide({ verb: 'create', board: 'default', actor: person, input: { cards } }))
    expect((await home.dispatch('--wait')).started).toHaveLength(4)
    for (const { id } of cards)
      expect([await outcomesOf(home, id), await statusOf(home, id)]).toEqual([['completed'], 'done'])
  }
  expect(repo.git('worktree', 'list').split('\n')).toHaveLength(25)
  expect(repo.git('branch', '--list', 'muster/*').split('\n')).toHaveLength(24)
})

describe('a retry', () => {
  const body = 'if [ -e half ]; then cat half; else echo half done >half; exit 1; fi'

  test('a retry finds the scratch files of the last attempt', async () => {
    const home = await openHome('sqlite')
    await home.setBoard({ retryBaseMs: 1 })
    const card = await shellCard(home, body)
    await home.dispatch('--wait')
    await home.dispatch('--wait')
    expect(await home.show(card.id)).toMatchObject({ status: 'done', result: 'half done' })
  })

  test('a retry starts empty if retryKeepsFiles is off', async () => {
    const home = await openHome('sqlite')
    await home.setBoard({ retryBaseMs: 1, retryKeepsFiles: false })
    const card = await shellCard(home, body)
    await home.dispatch('--wait')
    await home.dispatch('--wait')
    expect(await outcomesOf(home, card.id)).toEqual(['crashed', 'crashed'])
    const [first] = await (await home.store()).runs('default', card.id)
    expect(readFileSync(join(home.home, 'runs', first?.id ?? '', 'workspace', 'half'), 'utf8')).toBe('half done\n')
  })

  test('a retry that starts empty keeps the old files even if the run directory is gone', async () => {
    const home = await openHome('sqlite')
    await home.setBoard({ retryBaseMs: 1, retryKeepsFiles: false })
    const card = await shellCard(home, body)
    await home.dispatch('--wait')
    const [first] = await (await home.store()).runs('default', card.id)
    const folder = join(home.home, 'runs', first?.id ?? '')
    rmSync(folder, { recursive: true })
    await home.dispatch('--wait')
    expect(await outcomesOf(home, card.id)).toEqual(['crashed', 'crashed'])
    expect(readFileSync(join(folder, 'workspace', 'half'), 'utf8')).toBe('half done\n')
  })

  test('a card that a person unblocked keeps its files even if retryKeepsFiles is off', async () => {
    const home = await openHome('sqlite')
    await home.setBoard({ retryKeepsFiles: false })
    const blocks = `"${process.execPath}" "${BIN}" block "$MUSTER_TASK" "what colour?"`
    const card = await shellCard(home, `if [ -e half ]; then cat half; else echo half done >half; ${blocks}; fi`)
    await home.dispatch('--wait')
    expect((await home.muster('unblock', card.id)).code).toBe(0)
    await home.dispatch('--wait')
    expect(await home.show(card.id)).toMatchObject({ status: 'done', result: 'half done' })
  })
})
