// Tests the columns of `board`, and the reasons and hidden cards in the `list` of a terminal.
import { beforeEach, describe, expect, test } from 'vitest'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'

const HOUR = 3_600_000
const terminal = { columns: 100, rows: 24, colors: false }

let line: CommandLine
beforeEach(() => {
  line = makeCommandLine()
})

const shell = (title: string, ...flags: string[]) =>
  line.create(title, '--assignee', 'shell', '--body', 'true', ...flags)

describe('board', () => {
  test('in a pipe, the columns are printed below each other with exact counts', async () => {
    const first = await shell('First')
    for (const title of ['Second', 'Third']) await shell(title)
    const child = await shell('Child', '--parent', first.id)
    const { stdout } = await line.muster('board', '--limit', '2')
    expect(stdout).toContain(`◻ To do 1\n  Child  ${child.id.slice(0, 8)}  shell\n    waits for First\n`)
    expect(stdout).toMatch(/▶ Ready 3\n {2}First .*\n {2}Second .*\n {2}and 1 more\n$/)
  })

  test('`--json` prints every column with its count, cards, reasons and runs', async () => {
    const unknown = await line.create('Write', '--assignee', 'codr')
    const claimed = await shell('Mine')
    await line.muster('claim', claimed.id)
    const { columns } = (await line.muster('board', '--json')).json() as {
      columns: readonly { status: string; count: number; cards: readonly object[] }[]
    }
    expect(columns.map(({ status, count }) => `${status} ${count}`)).toEqual([
      'triage 0',
      'todo 0',
      'scheduled 0',
      'ready 1',
      'running 1',
      'review 0',
      'blocked 0',
      'done 0',
    ])
    expect(columns[3]?.cards).toMatchObject([{ id: unknown.id, reason: { code: 'agent_unknown' }, run: null }])
    expect(columns[4]?.cards).toMatchObject([{ id: claimed.id, reason: null, run: { attempt: 1, by: 'ada' } }])
    expect(columns[3]?.cards[0]).not.toHaveProperty('body')
  })

  test('an unknown board is an error, and an empty board prints a sentence', async () => {
    await shell('A')
    expect(await line.muster('board', '--board', 'nowhere')).toMatchObject({ code: 3, stdout: '' })
    await line.muster('boards', 'create', 'empty')
    expect((await line.muster('board', '--board', 'empty')).stdout).toMatch(/^Board empty has no open cards\./)
  })
})

describe('the first reason in a list', () => {
  const rowOf = async (id: string, ...argv: string[]): Promise<string> => {
    const { stdout } = await line.run(['list', ...argv], { world: { terminal } })
    return stdout.split('\n').find((row) => row.includes(id)) ?? ''
  }

  test('a card that cannot start shows the reason or its open parent', async () => {
    const unknown = await line.create('Write', '--assignee', 'codr')
    const child = await shell('Child', '--parent', unknown.id)
    const fine = await shell('Fine')
    expect(await rowOf(unknown.id)).toMatch(/Write {2}waits: agent codr is unknown$/)
    expect(await rowOf(child.id)).toMatch(/Child {2}waits for Write$/)
    expect(await rowOf(fine.id)).toMatch(/Fine$/)
    await line.muster('pause', 'agent', 'shell')
    expect(await rowOf(fine.id)).toMatch(/Fine {2}waits: agent shell is paused$/)
  })

  test('`list` and `board` show that a script card has no script, until the card gets a script', async () => {
    const empty = await line.create('Empty', '--assignee', 'shell')
    const blank = await line.create('Blank', '--assignee', 'shell', '--body', ' \n\t ')
    const fine = await shell('Fine')
    for (const { id } of [empty, blank]) expect(await rowOf(id)).toMatch(/waits: has no script$/)
    expect(await rowOf(fine.id)).toMatch(/Fine$/)
    const { columns } = (await line.muster('board', '--json')).json() as {
      columns: { cards: { id: string; reason: { code: string } | null }[] }[]
    }
    expect(columns[3]?.cards.map(({ id, reason }) => [id, reason?.code])).toEqual([
      [empty.id, 'body_missing'],
      [blank.id, 'body_missing'],
      [fine.id, undefined],
    ])
    await line.muster('edit', empty.id, '--body', 'true')
    expect(await rowOf(empty.id)).toMatch(/Empty$/)
  })

  test('a ready card shows the limit on running cards that makes it wait', async () => {
    await line.muster('init')
    await line.muster('boards', 'set', 'default', '--max-running', '1')
    const store = await line.store()
    const running = await shell('Running')
    const waits = await shell('Waits')
    const actor = { kind: 'board', name: 'dispatcher' } as const
    const identity = { machine: 'laptop', bootId: 'b', pidNamespace: null, pid: 1, startTime: '1' } as never
    const lead = { machine: 'laptop', tokenHash: 'lead', identity, leaseMs: HOUR }
    expect(await store.decide({ verb: 'lead_dispatch', board: 'default', actor, input: lead })).toMatchObject({
      ok: true,
    })
    const claim = {
      task: running.id,
      runId: 'r_0123456789' as never,
      tokenHash: 't',
      agent: 'shell',
      machine: 'laptop',
      dispatcher: identity,
      dispatcherTokenHash: 'lead',
    }
    expect(await store.decide({ verb: 'claim', board: 'default', actor, input: claim })).toMatchObject({ ok: true })
    expect(await rowOf(waits.id)).toMatch(/Waits {2}waits: limit of the board: 1 of 1 runs$/)
  })

  test('pipes and --json show no reasons', async () => {
    await line.create('Write', '--assignee', 'codr')
    expect((await line.muster('list')).stdout).not.toContain('waits')
    expect((await line.muster('list', '--json')).json()).not.toMatchObject([{ reason: expect.anything() as unknown }])
  })
})

describe('finished cards in a list', () => {
  /** Finishes two cards. For the command line, this was 25 hours ago. */
  const later = { terminal, now: () => Date.now() + 25 * HOUR }

  test('on a terminal, cards that finished over a day ago are hidden and counted', async () => {
    for (const title of ['Old', 'Older']) await line.muster('complete', (await shell(title)).id)
    const open = await shell('Open')
    const { stdout, stderr } = await line.run(['list'], { world: later })
    expect(stdout).toContain(open.id)
    expect(stdout).not.toContain('Old')
    expect(stderr).toBe('2 finished cards are hidden; to list them: muster list --all\n')
    const recent = await line.run(['list'], { world: { terminal } })
    expect([recent.stdout.split('\n').length, recent.stderr]).toEqual([5, ''])
  })

  test('`--all`, `--status`, pipes and `--json` list every card', async () => {
    await line.muster('complete', (await shell('Old')).id)
    for (const argv of [['--all'], ['--status', 'done'], ['--text', 'Old']])
      expect(await line.run(['list', ...argv], { world: later })).toMatchObject({
        stdout: expect.stringContaining('Old') as string,
        stderr: '',
      })
    const { now } = later
    expect((await line.run(['list'], { world: { now } })).stdout).toContain('Old')
    expect((await line.run(['list', '--json'], { world: later })).json()).toHaveLength(1)
  })

  test('finished cards do not shorten a page of the list on a terminal', async () => {
    for (const title of ['Old', 'Older']) await line.muster('complete', (await shell(title, '--priority', '9')).id)
    for (const title of ['First', 'Second']) await shell(title)
    const { stdout, stderr } = await line.run(['list', '--limit', '1'], { world: later })
    expect(stdout).toContain('First')
    expect(stderr).toMatch(/^There are more cards\. .*\n2 finished cards are hidden/)
  })
})
