// Tests `create --each` and `duplicate`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'
import { newTaskId } from '../../src/util/mint.ts'

let line: CommandLine
beforeEach(() => {
  line = makeCommandLine()
})

const titles = async (): Promise<readonly string[]> =>
  ((await line.muster('list', '--json')).json() as { title: string }[]).map(({ title }) => title)

describe('create --each', () => {
  test('each line of standard input becomes a card with the same fields', async () => {
    const argv = ['create', '--each', '-', '--assignee', 'shell', '--body', 'true', '--label', 'bug']
    const { code, stdout, stderr } = await line.run(argv, { stdin: '- one\n\n* two\n' })
    expect([code, stderr]).toEqual([0, expect.stringContaining('Created 2 cards.\n')])
    expect(stdout).toMatch(/^t_\w{10} {2}one\nt_\w{10} {2}two\n$/)
    for (const id of stdout.match(/t_\w{10}/g) ?? [])
      expect(await line.show(id)).toMatchObject({ assignee: 'shell', body: 'true', labels: ['bug'], status: 'ready' })
  })

  test('titles can come from a file, and --json prints a list', async () => {
    const file = join(line.around, 'tasks.md')
    writeFileSync(file, '1. one\n2. two\n')
    const parent = await line.create('first')
    const made = (await line.muster('create', '--each', file, '--parent', parent.id, '--json')).json()
    expect(made).toMatchObject([
      { title: 'one', status: 'todo' },
      { title: 'two', status: 'todo' },
    ])
    expect((await line.show(parent.id)).children).toHaveLength(2)
  })

  test('no card is created if one line is not a valid title', async () => {
    await line.create('existing')
    const { code, stdout } = await line.run(['create', '--each', '-'], { stdin: `good\n${'x'.repeat(5000)}\n` })
    expect([code, stdout]).toEqual([2, ''])
    expect(await titles()).toEqual(['existing'])
  })

  test.each(['on a new board', 'on a board with cards'])(
    'an empty list and more than 1000 lines are refused %s',
    async (where) => {
      if (where === 'on a board with cards') await line.create('existing')
      const before = (await line.muster('list')).stdout
      const many = await line.run(['create', '--each', '-'], { stdin: 'x\n'.repeat(1001) })
      expect([many.code, many.stderr]).toEqual([2, expect.stringMatching(/(?:takes at most|has more than) 1000/)])
      const none = await line.run(['create', '--each', '-'], { stdin: '\n-\n' })
      expect([none.code, none.stderr]).toEqual([
        2,
        expect.stringMatching(/needs at least one line|has no card to create/),
      ])
      expect((await line.muster('list')).stdout).toBe(before)
    },
  )

  test('1000 lines become 1000 cards in the order of the list', async () => {
    const asked = Array.from({ length: 1000 }, (_, n) => `card ${n + 1}`)
    await line.run(['create', '--each', '-'], { stdin: asked.join('\n') })
    expect(await titles()).toEqual(asked)
  })

  test('`create` needs a title or --each, and refuses --each with an idempotency key', async () => {
    expect(await line.run(['create', 'a', '--each', '-'], { stdin: 'b' })).toMatchObject({ code: 2 })
    expect(await line.run(['create', '--each', '-', '--idempotency-key', 'k'], { stdin: 'b' })).toMatchObject({
      code: 2,
    })
    expect(await line.muster('create')).toMatchObject({ code: 2, stderr: expect.stringContaining('needs <title>') })
  })
})

describe('duplicate', () => {
  test('a finished card is copied with its fields, without its history', async () => {
    const parent = await line.create('first')
    await line.muster('complete', parent.id)
    const flags = ['--assignee', 'shell', '--body', 'true', '--priority', '3', '--label', 'bug', '--max-retries', '4']
    const card = await line.create('Sum', '--parent', parent.id, ...flags, '--idempotency-key', 'k', '--hold')
    await line.muster('comment', card.id, 'a comment')
    await line.muster('release', card.id)
    await line.muster('complete', card.id, '--result', '15')
    const { stdout } = await line.muster('duplicate', card.id)
    const id = /^Created (t_\w{10}) {2}\(ready\)\n$/.exec(stdout)?.[1] ?? ''
    expect(await line.show(id)).toMatchObject({
      title: 'Sum',
      body: 'true',
      assignee: 'shell',
      priority: 3,
      labels: ['bug'],
      maxRetries: 4,
      parents: [parent.id],
      idempotencyKey: null,
      held: false,
      result: null,
      comments: [],
      runs: [],
      status: 'ready',
    })
  })

  test('a copy waits for the unfinished parent of the original, and --title names the copy', async () => {
    const parent = await line.create('first')
    const card = await line.create('Sum', '--parent', parent.id)
    const copy = (await line.muster('duplicate', card.id, '--title', 'Again', '--json')).json()
    expect(copy).toMatchObject({ title: 'Again', status: 'todo', parents: [parent.id] })
  })

  test('a copied worktree card keeps a chosen branch, but not a generated one', async () => {
    const flags = ['--workspace', 'worktree:/srv/site']
    const chosen = await line.create('a', ...flags, '--branch', 'feature')
    expect((await line.muster('duplicate', chosen.id, '--json')).json()).toMatchObject({
      branch: 'feature',
      workspace: { kind: 'worktree', repo: '/srv/site', path: null, base: null },
    })
    const own = await line.create('b', ...flags)
    await line.muster('edit', own.id, '--branch', `muster/${own.id}`)
    expect((await line.muster('duplicate', own.id, '--json')).json()).toMatchObject({ branch: null })
  })

  test('the copy of a card that an agent wrote waits for approval', async () => {
    await line.create('makes the board')
    const store = await line.store()
    const id: TaskId = newTaskId()
    const actor = { kind: 'orchestrator', name: 'planner', taskId: null, runId: null } as const
    const written = { id, title: 'Clean up', body: 'rm -rf build', assignee: 'shell' }
    unwrap(await store.decide({ verb: 'create', board: 'default', actor, input: { cards: [written as never] } }))
    const { stdout, stderr } = await line.muster('duplicate', id)
    expect(stderr).toContain('need your approval')
    expect(await line.show(/t_\w{10}/.exec(stdout)?.[0] ?? '')).toMatchObject({ commandsApproved: false })
  })

  test('the copy of a rough idea stays in triage', async () => {
    const card = await line.create('maybe', '--triage')
    expect((await line.muster('duplicate', card.id, '--json')).json()).toMatchObject({ status: 'triage' })
  })

  test('duplicating an unknown card is an error', async () => {
    await line.create('a')
    expect(await line.muster('duplicate', 't_zzzz')).toMatchObject({ code: 3 })
  })
})
