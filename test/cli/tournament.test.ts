import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'

let line: CommandLine
beforeEach(async () => {
  line = makeCommandLine()
  await line.muster('init')
  mkdirSync(join(line.home, 'agents'), { recursive: true })
  for (const name of ['writer', 'coder'])
    writeFileSync(join(line.home, 'agents', `${name}.md`), `---\nharness: command\nargs: ["true"]\n---\n`)
})

const show = async (id: string): Promise<TaskDetails> => (await line.muster('show', id, '--json')).json() as TaskDetails
const begin = async (...flags: string[]): Promise<TaskDetails> => {
  const { id } = (
    await line.muster('create', 'Fix the parser', '--best-of', '3', ...flags, '--json')
  ).json() as TaskDetails
  return show(id)
}
const finish = (id: string) => line.muster('complete', id, '--summary', `work of ${id}`)

describe('muster create --best-of', () => {
  test('the agents get the entries in turn, and the root keeps the reviewer and the labels', async () => {
    await line.muster('create', 'First', '--json')
    const flags = [
      '--agents',
      'writer, coder',
      '--reviewer',
      'coder',
      '--check',
      'true',
      '--label',
      'x',
      '--priority',
      '2',
    ]
    const root = await begin(...flags, '--body', 'Make it fast', '--max-runtime', '10m')
    expect(root).toMatchObject({ status: 'todo', assignee: null, reviewer: 'coder', checks: [], labels: ['x'] })
    const entries = await Promise.all((root.tournament?.entries ?? []).map(show))
    expect(entries.map(({ assignee }) => assignee)).toEqual(['writer', 'coder', 'writer'])
    expect(entries.map(({ title }) => title)).toEqual([
      'Fix the parser (writer)',
      'Fix the parser (coder)',
      'Fix the parser (writer 2)',
    ])
    for (const entry of entries)
      expect(entry).toMatchObject({
        status: 'ready',
        entryOf: root.id,
        reviewer: null,
        checks: ['true'],
        body: 'Make it fast',
        priority: 2,
        maxRuntimeMs: 600_000,
      })
    expect(root.parents.toSorted()).toEqual(entries.map(({ id }) => id).toSorted())
  })

  test('a repeated key returns the same tournament and reports different fields', async () => {
    const root = await begin('--agents', 'writer,coder', '--idempotency-key', 'k')
    const again = await begin('--agents', 'writer,coder', '--idempotency-key', 'k')
    expect(again.id).toBe(root.id)
    const other = await line.muster(
      'create',
      'Fix the parser',
      '--best-of',
      '3',
      '--agents',
      'coder',
      '--idempotency-key',
      'k',
    )
    expect(other.stderr).toContain('with a different agents')
    expect(other.stdout).toContain(`Found ${root.id}`)
  })

  test.each([
    [['--best-of', '3'], '--best-of needs --agents'],
    [['--agents', 'coder'], '--agents and --pick need --best-of'],
    [['--pick', 'person'], '--agents and --pick need --best-of'],
    [['--best-of', '2', '--agents', 'a,b,c'], 'allows only 2 entries'],
    [['--best-of', '9', '--agents', 'coder'], 'from 2 to 8'],
    [['--best-of', '2', '--agents', 'coder', '--assignee', 'coder'], 'Leave out --assignee'],
    [['--best-of', '2', '--agents', 'coder', '--workspace', 'dir:/tmp'], 'would share a directory'],
    [['--best-of', '2', '--agents', 'coder', '--workspace', 'worktree:/tmp', '--branch', 'x'], 'would share a branch'],
    [['--best-of', '2', '--agents', 'coder', '--goal'], 'cannot have a goal'],
    [['--best-of', '2', '--agents', 'coder', '--triage'], 'start at once'],
    [['--best-of', '2', '--agents', 'coder', '--pick', 'judge'], 'set models.judge'],
  ])('the flags %j are refused with one sentence', async (flags, sentence) => {
    const refused = await line.muster('create', 'Fix the parser', ...flags)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain(sentence)
    expect((await line.muster('list', '--json')).json()).toEqual([])
  })

  test('--best-of and --each exclude each other', async () => {
    const refused = await line.muster('create', '--each', '-', '--best-of', '2', '--agents', 'coder')
    expect(refused.stderr).toContain('cannot be used with --each')
  })
})

describe('muster pick', () => {
  test('a pick finishes the tournament, and the page shows the winner', async () => {
    const root = await begin('--agents', 'writer,coder')
    const [first = '', second = '', third = ''] = root.tournament?.entries ?? []
    expect((await line.muster('why', root.id)).stdout).toContain('waits for 3 of 3 entries')
    await finish(first)
    await finish(second)
    await line.muster('block', third, 'no access', '--kind', 'capability')
    expect((await line.muster('why', root.id)).stdout).toContain(
      `The tournament waits for a pick from 2 of 3 entries.\n    → muster pick ${root.id}`,
    )
    const picked = await line.muster('pick', root.id, second, '--reason', 'simpler')
    expect(picked.stdout).toBe(`${second} won ${root.id} (done).\n`)
    const page = (await line.muster('show', root.id)).stdout
    expect(page).toContain(`${second} coder`)
    expect(page).toContain('won')
    expect(page).toMatch(/won, picked by .*: simpler/)
    expect(await show(first)).toMatchObject({ status: 'archived' })
    expect(await show(root.id)).toMatchObject({ status: 'done', result: `work of ${second}` })
  })

  test('a card without a tournament is refused', async () => {
    const { id } = (await line.muster('create', 'Plain', '--json')).json() as { id: string }
    const refused = await line.muster('pick', id, id)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a tournament') })
  })
})

test('the page of an open tournament compares its entries', async () => {
  const root = await begin('--agents', 'writer,coder')
  const [first = ''] = root.tournament?.entries ?? []
  await finish(first)
  const page = (await line.muster('show', root.id)).stdout
  expect(page).toMatch(new RegExp(`${first} writer +passed · work of ${first}`))
  expect(page).toContain('playing (ready)')
  expect(page).toContain('a person picks the winner')
})
