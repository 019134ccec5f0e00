// Tests `inbox`, which lists everything that waits for a person on all boards, and `answer`, which lets a card
// continue.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { InboxItem } from '../../src/operations/inbox/views.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'

let line: CommandLine
beforeEach(() => {
  line = makeCommandLine()
})

const itemsOf = async (...argv: string[]): Promise<readonly InboxItem[]> =>
  ((await line.muster('inbox', ...argv, '--json')).json() as { items: readonly InboxItem[] }).items

async function ask(title = 'Serve it', ...flags: string[]): Promise<string> {
  const { id } = await line.create(title, '--assignee', 'shell', '--body', 'true', ...flags)
  await line.muster('block', id, 'Which port?')
  return id
}

describe('inbox', () => {
  test('an empty inbox prints one sentence', async () => {
    await line.create('Fine', '--assignee', 'shell', '--body', 'true')
    expect(await line.muster('inbox')).toMatchObject({ code: 0, stdout: 'Nothing needs you right now.\n', stderr: '' })
    const on = await line.muster('inbox', '--board', 'default')
    expect(on.stdout).toBe('Nothing on board default needs you right now.\n')
    expect(await line.muster('inbox', '--board', 'nowhere')).toMatchObject({ code: 3 })
  })

  test('each kind of item has its reason and a command', async () => {
    const question = await ask()
    const review = await line.create('Paint', '--assignee', 'shell', '--body', 'true')
    await line.muster('request-review', review.id)
    const unknown = await line.create('Write', '--assignee', 'codr')
    const triage = await line.create('Think', '--triage')
    const stuck = await line.create('Deploy', '--assignee', 'shell', '--body', 'true')
    await line.muster('block', stuck.id, 'I need access', '--kind', 'capability')
    const store = await line.store()
    const actor = { kind: 'person', name: 'ada' } as const
    const input = { account: 'claude', cause: 'auth', reason: 'Invalid API key' } as const
    await store.decide({ verb: 'pause_account', board: 'default', actor, input })
    expect(await itemsOf()).toMatchObject([
      { kind: 'account', account: 'claude', task: null, reason: { code: 'account_paused' } },
      {
        kind: 'question',
        board: 'default',
        task: { id: question, title: 'Serve it', assignee: 'shell' },
        question: 'Which port?',
        reason: { code: 'blocked', params: { kind: 'needs_input' } },
        remedies: [{ operation: 'answer', input: { task: question }, asks: ['text'] }],
      },
      {
        kind: 'review',
        task: { id: review.id },
        remedies: [{ operation: 'approve' }, { operation: 'request-changes' }],
      },
      { kind: 'blocked', task: { id: stuck.id }, reason: { params: { kind: 'capability' } } },
      { kind: 'agent', task: { id: unknown.id }, reason: { code: 'agent_unknown' } },
      { kind: 'triage', task: { id: triage.id }, remedies: [{ operation: 'promote' }] },
    ])
    const { stdout } = await line.muster('inbox')
    expect(stdout).toContain(
      `? Serve it  ${question.slice(0, 8)}  just now\n  Which port?\n  → muster answer ${question} '…'\n`,
    )
    expect(stdout).toContain(`  No agent is called codr.\n  → Add agents/codr.md, or muster assign ${unknown.id} '…'\n`)
  })

  test('a card is listed while the program of its agent is missing', async () => {
    const { id } = await line.create('Write', '--assignee', 'writer')
    const file = join(line.home, 'agents', 'writer.md')
    writeFileSync(file, '---\nharness: command\nargs: [no-such-program]\n---\nWrite.\n')
    expect(await itemsOf()).toMatchObject([
      { kind: 'agent', task: { id }, reason: { code: 'program_missing', params: { program: 'no-such-program' } } },
    ])
    writeFileSync(file, '---\nharness: command\nargs: [cat]\n---\nWrite.\n')
    expect(await itemsOf()).toEqual([])
  })

  test('the inbox lists items of all boards, or of the given --board', async () => {
    const here = await ask()
    await line.muster('boards', 'create', 'work')
    const there = await ask('Elsewhere', '--board', 'work')
    expect((await itemsOf()).map(({ id }) => id)).toEqual([here, there])
    expect((await itemsOf('--board', 'work')).map(({ id }) => id)).toEqual([there])
    expect((await line.muster('inbox')).stdout).toMatch(/Elsewhere {2}t_\w{6} {2}work {2}just now/)
    await line.muster('boards', 'archive', 'work')
    expect((await itemsOf()).map(({ id }) => id)).toEqual([here])
  })

  test('a long inbox is read page by page', async () => {
    const ids = [await ask('A'), await ask('B'), await ask('C')]
    const first = await line.muster('inbox', '--limit', '2')
    expect(first.stdout).toContain('B  t_')
    expect(first.stdout).not.toContain('C  t_')
    const position = /--after (\S+)/.exec(first.stderr)?.[1] ?? ''
    expect((await itemsOf('--after', position)).map(({ id }) => id)).toEqual(ids.slice(2))
    expect(await line.muster('inbox', '--after', 'nonsense')).toMatchObject({ code: 2 })
  })

  test.each(['inbox', 'board'])('%s refuses a limit that a server would refuse', async (command) => {
    expect(await line.muster(command, '-n', '501')).toMatchObject({
      code: 2,
      stderr: 'muster: --limit: use a whole number from 1 to 500.\n',
    })
  })

  test('reading the inbox changes nothing', async () => {
    await ask()
    const before = await (await line.store()).exportAll()
    await line.muster('inbox')
    expect(await (await line.store()).exportAll()).toEqual(before)
  })
})

describe('inbox snooze and inbox done', () => {
  test('a snoozed item of the inbox is hidden until its time, or until it changes', async () => {
    const id = await ask()
    const until = await line.muster('inbox', 'snooze', id.slice(0, 8), '--until', '+2h')
    expect(until).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Hidden until \d{4}-.*, or until the next change: Serve it/) as string,
    })
    expect(await itemsOf()).toEqual([])
    expect(await itemsOf('--all')).toMatchObject([{ id }])
    await line.muster('unblock', id, 'Use 8080.')
    await line.muster('block', id, 'And which host?')
    expect(await itemsOf()).toMatchObject([{ id, question: 'And which host?' }])
  })

  test('a done item stays hidden, and can be snoozed afterwards', async () => {
    const id = await ask()
    expect((await line.muster('inbox', 'done', id)).stdout).toBe(`Hidden until the next change: Serve it  ${id}\n`)
    expect(await itemsOf()).toEqual([])
    expect(await line.muster('inbox', 'snooze', id)).toMatchObject({ code: 0 })
  })

  test('`inbox done` hides an account that is given by name', async () => {
    await line.create('A')
    await line.muster('accounts', 'pause', 'claude')
    expect(await itemsOf()).toMatchObject([{ id: 'claude', kind: 'account' }])
    await line.muster('inbox', 'done', 'claude')
    expect(await itemsOf()).toEqual([])
  })

  test('an item that is not in the inbox cannot be hidden', async () => {
    const { id } = await line.create('A', '--assignee', 'shell', '--body', 'true')
    expect(await line.muster('inbox', 'done', id)).toMatchObject({
      code: 1,
      stderr: `muster: Card ${id} is not in the inbox. To see why it waits: muster why ${id}\n`,
    })
    expect(await line.muster('inbox', 'done', 'ghost')).toMatchObject({ code: 3 })
    expect(await line.muster('inbox', 'snooze', id, '--until', '2001-01-01')).toMatchObject({ code: 2 })
  })
})

describe('answer', () => {
  test('an answer unblocks the card and reaches its next run', async () => {
    const id = await ask()
    expect((await line.muster('answer', id, 'Use', 'port 8080.')).stdout).toBe(`Answered ${id}  (ready)\n`)
    expect((await line.show(id)).answers).toMatchObject([{ body: 'Use port 8080.' }])
    expect((await line.muster('context', id)).stdout).toContain('Use port 8080.')
    expect(await itemsOf()).toEqual([])
  })

  test('an answer can come from standard input or a file', async () => {
    const [piped, filed] = [await ask('A'), await ask('B')]
    expect(await line.run(['answer', piped, '-'], { stdin: 'Use 80.\nOr 443.' })).toMatchObject({ code: 0 })
    writeFileSync(join(line.around, 'answer.md'), 'Use 8080.')
    await line.muster('answer', filed, `@${join(line.around, 'answer.md')}`)
    expect((await line.show(piped)).answers).toMatchObject([{ body: 'Use 80.\nOr 443.' }])
    expect((await line.show(filed)).answers).toMatchObject([{ body: 'Use 8080.' }])
  })

  test('answering a card in review fails and prints the review commands', async () => {
    const { id } = await line.create('Paint', '--assignee', 'shell', '--body', 'true')
    await line.muster('request-review', id)
    const { code, stderr } = await line.muster('answer', id, 'yes')
    expect([code, stderr]).toEqual([
      1,
      `muster: Card ${id} has no open question: it waits for a review. To accept it: muster approve ${id}. To send it back: muster request-changes ${id} '…'\n`,
    ])
  })

  test('answering a card without a question fails and prints a valid command', async () => {
    const ready = await line.create('Ready', '--assignee', 'shell', '--body', 'true')
    const triage = await line.create('Triage', '--triage')
    const later = await line.create('Later', '--assignee', 'shell', '--body', 'true')
    await line.muster('schedule', later.id)
    const done = await line.create('Done', '--assignee', 'shell', '--body', 'true')
    await line.muster('complete', done.id)
    for (const { id } of [ready, triage, later, done]) {
      const { code, stderr } = await line.muster('answer', id, 'yes')
      expect(code).toBe(1)
      const command = /: muster (.*)$/.exec(stderr.trim())?.[1] ?? ''
      expect(await line.muster(...command.replace("'…'", 'now').split(' '))).toMatchObject({ code: 0 })
    }
    expect(await line.muster('answer', ready.id)).toMatchObject({ code: 2 })
    expect(await line.muster('answer', 't_nothing00', 'yes')).toMatchObject({ code: 3 })
  })
})

describe('muster without a command', () => {
  const terminal = { columns: 80, rows: 24, colors: false }

  test('`muster` without a command prints a welcome before its first use, and creates nothing', async () => {
    const { code, stdout } = await line.run([], { world: { terminal } })
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toEqual([
      'Welcome to Muster, a kanban board that runs AI agents.',
      'Set up:      muster init',
      'First card:  muster create "Say hello" --assignee shell --body "echo hello"',
      'Run it:      muster up',
      'Learn more:  muster help',
    ])
    expect(readdirSync(line.around)).toEqual([])
  })

  test('`muster` without a command shows the inbox and the finished cards on a terminal', async () => {
    const id = await ask()
    const { id: done } = await line.create('Painted', '--assignee', 'shell', '--body', 'true')
    await line.muster('complete', done)
    const { stdout } = await line.run([], { world: { terminal } })
    expect(stdout).toBe(
      [
        "Muster isn't running. Start it with: muster up",
        '',
        'Running 0',
        'Needs you 1',
        '  ? Serve it: Which port?  just now',
        'Finished in 24 h 1',
        `  ✓ Painted  ${done.slice(0, 8)}  just now`,
        '',
        'Next: muster inbox',
        '',
      ].join('\n'),
    )
    await line.muster('claim', id)
    await line.muster('answer', id, '8080')
    await line.muster('claim', id)
    expect((await line.run([], { world: { terminal } })).stdout).toMatch(
      /Running 1\n {2}● Serve it {2}t_\w{6} {2}ada {2}[\d.]+ s\n/,
    )
  })

  test('`muster` without a command prints help in a pipe, inside a run and with --help', async () => {
    await ask()
    const { stdout } = await line.muster()
    expect(stdout).toMatch(/^muster: a kanban board/)
    expect((await line.run(['--help'], { world: { terminal } })).stdout).toMatch(/^muster: a kanban board/)
    const inside = await line.run([], { world: { terminal }, env: { MUSTER_RUN: 'r_0123456789' } })
    expect(inside.stdout).toMatch(/^muster: a kanban board/)
  })
})
