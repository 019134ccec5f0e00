// Tests the boards commands through the real binary: the current board is stored in a file, and every process sees
// changes of boards.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { appeared, makeCommandHome } from '../../helpers/cli.ts'
import type { TestHome } from '../../helpers/cli.ts'
import { WAITS } from '../../helpers/run-cards.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'

/** Runs a boards command, and parses its answer with the output schema of its operation. */
async function answer<N extends keyof typeof OPERATIONS>(home: TestHome, command: N, ...argv: string[]) {
  const { code, stdout, stderr } = await home.muster(...command.split(' '), ...argv, '--json')
  expect([code, stderr]).toEqual([0, ''])
  const { output } = await OPERATIONS[command].schemas()
  return output.parse(JSON.parse(stdout)) as z.infer<Awaited<ReturnType<(typeof OPERATIONS)[N]['schemas']>>['output']>
}

describe.each(SURFACE_ENGINES)('boards (%s)', (engine) => {
  test('a person can create, use, archive and delete a board', async () => {
    const home = makeCommandHome(engine)
    const made = await answer(home, 'boards create', 'Work', '--name', 'The work', '--failure-limit', '5', '--switch')
    expect(made).toMatchObject({ slug: 'work', name: 'The work', created: true, isCurrent: true })
    expect(await answer(home, 'boards create', 'work')).toMatchObject({ created: false, settings: { failureLimit: 5 } })
    expect(readFileSync(join(home.home, 'current'), 'utf8')).toBe('work\n')
    expect(statSync(join(home.home, 'current')).mode & 0o777).toBe(0o600)

    const card = await home.create('on the current board')
    expect(card.board).toBe('work')
    const [first, second] = await answer(home, 'boards list')
    expect(first).toMatchObject({ slug: 'default', isCurrent: false, total: 0 })
    expect(second).toMatchObject({ slug: 'work', isCurrent: true, total: 1, counts: { ready: 1, done: 0 } })

    const set = await answer(
      home,
      'boards set',
      'work',
      'staleMs=30m',
      '--reviewer',
      'Ada',
      '--default-directory',
      '/srv',
    )
    expect(set).toMatchObject({ settings: { staleMs: 1_800_000, reviewer: 'ada', defaultDirectory: '/srv' } })
    expect(set.changed).toEqual(['reviewer', 'defaultDirectory', 'staleMs'])
    expect(await answer(home, 'boards rename', 'work', 'Garden')).toMatchObject({ slug: 'work', name: 'Garden' })
    expect(await answer(home, 'boards show')).toMatchObject({ slug: 'work', name: 'Garden' })
    expect(await answer(home, 'boards switch', 'default')).toMatchObject({ slug: 'default', isCurrent: true })
    expect(await answer(home, 'boards switch', 'work')).toMatchObject({ slug: 'work' })

    const archived = await answer(home, 'boards archive', 'work')
    expect(archived).toMatchObject({ isCurrent: false, archivedAt: expect.any(Number) })
    expect(existsSync(join(home.home, 'current'))).toBe(false)
    expect(await answer(home, 'boards list')).toHaveLength(1)
    expect(await answer(home, 'boards list', '--all')).toHaveLength(2)
    expect(await home.muster('create', 'late', '--board', 'work')).toMatchObject({ code: 1, stdout: '' })
    expect(await answer(home, 'boards unarchive', 'work')).toMatchObject({ archivedAt: null })

    expect(await home.muster('boards', 'delete', 'work')).toMatchObject({ code: 2 })
    expect(await home.muster('boards', 'delete', 'work', '--yes')).toMatchObject({ code: 1 })
    await answer(home, 'boards archive', 'work')
    expect(await answer(home, 'boards delete', 'work', '--yes')).toEqual({ slug: 'work', name: 'Garden', files: null })
    expect(await home.muster('show', card.id)).toMatchObject({ code: 3 })
    expect(await home.muster('boards', 'show', 'work')).toMatchObject({ code: 3 })
    expect((await home.muster('doctor', '--json')).stdout).toBe('[]\n')
  })

  test('a board with a live run cannot be deleted', async () => {
    const home = makeCommandHome(engine)
    await answer(home, 'boards create', 'work')
    const card = await home.create('runs', '--board', 'work', '--assignee', 'shell', '--body', WAITS)
    const folder = join(home.home, 'boards', 'work', 'workspaces', card.id)
    await home.dispatch()
    await home.until('the agent has begun', () => appeared(join(folder, 'begun')))
    await answer(home, 'boards archive', 'work')
    const early = await home.muster('boards', 'delete', 'work', '--yes', '--json')
    expect([early.code, JSON.parse(early.stderr)]).toMatchObject([4, { error: { code: 'run_live' } }])

    expect(await home.muster('reclaim', card.id)).toMatchObject({ code: 0 })
    const { files } = await answer(home, 'boards delete', 'work', '--yes')
    expect(existsSync(join(String(files), 'workspaces', card.id, 'begun'))).toBe(true)
    expect(existsSync(folder)).toBe(false)
  })

  test('refused boards commands exit with the code of their error', async () => {
    const home = makeCommandHome(engine)
    expect(await home.muster('boards')).toMatchObject({ code: 3, stdout: '' })
    expect(existsSync(home.home)).toBe(false)
    await home.muster('init')
    expect(await home.muster('boards', 'create', 'No Slug')).toMatchObject({ code: 2, stdout: '' })
    expect(await home.muster('boards', 'switch', 'nope')).toMatchObject({ code: 3, stdout: '' })
    expect(await home.muster('boards', 'archive', 'default')).toMatchObject({ code: 1, stdout: '' })
    expect(await home.muster('boards', 'delete', 'default', '--yes')).toMatchObject({ code: 1, stdout: '' })
    expect(await home.muster('list', '--board', 'nope')).toMatchObject({ code: 3, stdout: '' })
  })
})
