// Tests cards that name one branch: they work in one worktree, one after the other, and do not fail while they wait.
import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { appeared } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { makeRepository } from '../helpers/repository.ts'
import type { TestRepository } from '../helpers/repository.ts'
import { SURFACE_ENGINES } from '../helpers/stores.ts'
import { WAITS, openHome, outcomesOf, shellCard, statusOf } from '../helpers/run-cards.ts'

const COMMIT = 'git -c user.name=a -c user.email=a@example.org commit --quiet --all -m'

const onBranch = (repo: TestRepository, branch = 'feat/x'): string[] => [
  '--workspace',
  `worktree:${repo.path}`,
  '--branch',
  branch,
]

const whyOf = async (home: TestHome, id: TaskId): Promise<string> => (await home.muster('why', id)).stdout

describe.each(SURFACE_ENGINES)('a branch that two cards name (%s)', (engine) => {
  test('two cards of one branch share the worktree of the parent', async () => {
    const home = await openHome(engine)
    const repo = makeRepository()
    const first = await shellCard(home, `echo one >>readme; ${COMMIT} one; echo left >left`, ...onBranch(repo))
    const second = await shellCard(
      home,
      'cat readme left; git symbolic-ref --short HEAD',
      '--parent',
      first.id,
      ...onBranch(repo),
    )
    await home.dispatch('--wait')
    await home.dispatch('--wait')
    expect(await home.show(first.id)).toMatchObject({ status: 'done', consecutiveFailures: 0 })
    const path = home.workspace(first.id, '.').replace(/\/\.?$/, '')
    expect(await home.show(second.id)).toMatchObject({
      status: 'done',
      consecutiveFailures: 0,
      result: 'hello\none\nleft\nfeat/x',
      branch: 'feat/x',
      workspace: { path, owner: first.id, baseBranch: 'main' },
    })
    expect(await outcomesOf(home, second.id)).toEqual(['completed'])
    expect(existsSync(home.workspace(second.id, '.'))).toBe(false)
    const { events } = await home.show(second.id)
    expect(events.find(({ kind }) => kind === 'worktree_taken_over')?.data).toMatchObject({ from: first.id })

    // gc keeps the work, because it has not landed, and names the card that owns the folder.
    home.env['MUSTER_WORKSPACE_STAYS_MS'] = '1'
    expect((await home.muster('gc', '--yes')).code).toBe(0)
    expect(existsSync(home.workspace(first.id, 'left'))).toBe(true)
    expect((await home.muster('gc', '--discard', second.id, '--yes')).stderr).toContain(
      `muster gc --discard ${first.id}`,
    )
    expect(existsSync(home.workspace(first.id, 'left'))).toBe(true)

    // With the child, the work of both cards has landed, so gc can remove the folder.
    expect((await home.muster('land', second.id)).code).toBe(0)
    expect((await home.show(first.id)).landed).toEqual((await home.show(second.id)).landed)
    expect((await home.muster('gc', '--yes')).code).toBe(0)
    expect(existsSync(home.workspace(first.id, '.'))).toBe(false)
  })

  test('the second card of a branch waits and names the first', async () => {
    const home = await openHome(engine)
    const repo = makeRepository()
    const first = await shellCard(home, WAITS, ...onBranch(repo))
    await home.dispatch()
    await home.until('the first has begun', () => appeared(home.workspace(first.id, 'begun')))
    const second = await shellCard(home, 'echo mine', ...onBranch(repo))
    for (let pass = 0; pass < 3; pass += 1) await home.dispatch()
    expect(await whyOf(home, second.id)).toContain(`Branch feat/x is in use by ${first.id} (running).`)
    expect(await outcomesOf(home, second.id)).toEqual([])

    // The waiting card still needs the worktree, so gc does not remove it.
    writeFileSync(home.workspace(first.id, 'go'), '')
    await home.until('the first is done', async () => (await statusOf(home, first.id)) === 'done')
    home.env['MUSTER_WORKSPACE_STAYS_MS'] = '1'
    expect((await home.muster('gc', '--yes')).code).toBe(0)
    expect(existsSync(home.workspace(first.id, 'go'))).toBe(true)
    await home.dispatch('--wait')
    expect(await home.show(second.id)).toMatchObject({ status: 'done', result: 'mine', consecutiveFailures: 0 })
    expect(await outcomesOf(home, second.id)).toEqual(['completed'])
  })

  test('a reopened card waits while another card works on its branch', async () => {
    const home = await openHome(engine)
    const repo = makeRepository()
    const first = await shellCard(home, 'true', '--workspace', `worktree:${repo.path}`)
    await home.dispatch('--wait')
    const second = await shellCard(home, WAITS, ...onBranch(repo, `muster/${first.id}`))
    await home.dispatch()
    await home.until('the second has begun', () => appeared(home.workspace(first.id, 'begun')))
    expect((await home.muster('reopen', first.id)).code).toBe(0)
    await home.dispatch()
    expect(await whyOf(home, first.id)).toContain(`Branch muster/${first.id} is in use by ${second.id} (running).`)
    expect(await outcomesOf(home, first.id)).toEqual(['completed'])

    writeFileSync(home.workspace(first.id, 'go'), '')
    await home.until('the second is done', async () => (await statusOf(home, second.id)) === 'done')
    await home.dispatch('--wait')
    expect(await outcomesOf(home, first.id)).toEqual(['completed', 'completed'])
  })
})

test('a card waits while the user has its branch checked out', async () => {
  const home = await openHome('sqlite')
  await home.setBoard({ failureLimit: 1, retryBaseMs: 1 })
  const repo = makeRepository()
  repo.git('switch', '--quiet', '--create', 'feat/x')
  const card = await shellCard(home, 'echo fine', ...onBranch(repo))
  for (let pass = 0; pass < 3; pass += 1) await home.dispatch('--wait')
  expect(await outcomesOf(home, card.id)).toEqual([])
  expect(await whyOf(home, card.id)).toContain(`Branch feat/x is checked out in ${repo.path}.`)
  expect(await whyOf(home, card.id)).toContain(`muster edit ${card.id} --branch`)
  repo.git('switch', '--quiet', 'main')
  await home.dispatch('--wait')
  expect(await home.show(card.id)).toMatchObject({ status: 'done', result: 'fine', consecutiveFailures: 0 })
})

test('a card waits if its branch name conflicts with another branch', async () => {
  const home = await openHome('sqlite')
  await home.setBoard({ failureLimit: 1, retryBaseMs: 1 })
  const repo = makeRepository()
  repo.git('branch', 'feat')
  const card = await shellCard(home, 'true', ...onBranch(repo))
  await home.dispatch('--wait')
  expect(await outcomesOf(home, card.id)).toEqual([])
  expect(await whyOf(home, card.id)).toContain('Branch feat/x cannot be created while branch feat exists.')
  expect((await home.muster('edit', card.id, '--branch', 'topic')).code).toBe(0)
  await home.dispatch('--wait')
  expect(await statusOf(home, card.id)).toBe('done')
})

test('`create` and `edit` refuse a branch name that git does not accept', async () => {
  const home = await openHome('sqlite')
  const repo = makeRepository()
  const made = await home.muster('create', 'x', ...onBranch(repo, 'feat..x'))
  expect([made.code, made.stderr]).toEqual([2, expect.stringContaining('must not contain ".."')])
  expect(JSON.parse((await home.muster('list', '--json')).stdout)).toEqual([])
  const card = await shellCard(home, 'true', ...onBranch(repo))
  const edited = await home.muster('edit', card.id, '--branch', 'feat/x.lock')
  expect([edited.code, edited.stderr]).toEqual([2, expect.stringContaining('ends with ".lock"')])
  expect(await home.show(card.id)).toMatchObject({ branch: 'feat/x' })
})
