// Tests the output of reading commands on terminals of any size, with untrusted text.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Terminal } from '../../src/cli/output/terminal.ts'
import { widthOf } from '../../src/cli/render/width.ts'
import { SORTS } from '../../src/storage/store.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'

// eslint-disable-next-line no-control-regex -- the pattern matches colour codes
const COLOUR = /\u001b\[\d+m/g

let line: CommandLine
beforeEach(() => {
  line = makeCommandLine()
})

const terminal = (columns: number, rest: Partial<Terminal> = {}): Terminal => ({
  columns,
  rows: 24,
  colors: false,
  ...rest,
})

const onTerminal = async (columns: number, ...argv: string[]): Promise<string[]> => {
  const { code, stdout } = await line.run(argv, { world: { terminal: terminal(columns) } })
  expect(code).toBe(0)
  return stdout.trimEnd().split('\n')
}

describe('list', () => {
  test('`list` fits every terminal and drops the last columns first', async () => {
    await line.create('Repair the roof before it rains', '--assignee', 'coder', '--priority', '12')
    await line.create('日本語のとても長いタイトルはここで切られます', '--tenant', 'acme')
    const wide = await onTerminal(100, 'list')
    expect(wide[0]).toMatch(/^ {2}ID {12}STATUS {2}ASSIGNEE {6}PRI {2}TITLE$/)
    expect(wide[1]).toMatch(
      /^▶ t_\w{10} {2}ready {3}coder {9}12 {3}Repair the roof before it… {2}waits: agent coder is unknown$/,
    )
    for (const columns of [60, 40, 20, 5])
      for (const shown of await onTerminal(columns, 'list')) expect(widthOf(shown)).toBeLessThanOrEqual(columns)
    expect((await onTerminal(40, 'list'))[0]).toMatch(/^ {2}ID +TITLE$/)
    // Without a terminal, no text is cut.
    expect((await line.muster('list')).stdout).toContain('[acme] 日本語のとても長いタイトルはここで切られます')
  })

  test('`list` prints the same text with colours as without colours', async () => {
    await line.create('A', '--initial-status', 'blocked')
    const plain = await onTerminal(80, 'list')
    const world = { terminal: terminal(80, { colors: true }) }
    const { stdout } = await line.run(['list'], { world })
    expect(stdout).toContain('\u001b[31m')
    expect(stdout.replaceAll(COLOUR, '').trimEnd().split('\n')).toEqual(plain)
  })

  test('`list` on a terminal names the command that answers a question', async () => {
    const asks = await line.create('A')
    await line.muster('block', asks.id, 'Which port?')
    const noticed = async (...argv: string[]): Promise<string> => (await line.onTerminal('list', ...argv)).stderr
    expect(await noticed()).toBe(`Card ${asks.id} waits for an answer: muster answer ${asks.id} '…'\n`)
    expect((await line.muster('why', asks.id)).stdout).toContain(`→ muster answer ${asks.id} '…'`)
    expect((await line.muster('list')).stderr).toBe('')
    const other = await line.create('B')
    await line.muster('block', other.id, 'Which host?')
    expect(await noticed()).toBe('2 cards wait for an answer. To read and answer their questions: muster inbox\n')
    expect((await line.muster('answer', asks.id, 'Port 8080.')).code).toBe(0)
    await line.muster('answer', other.id, 'localhost')
    expect(await noticed()).toBe('')
  })

  test('`list` escapes control characters in texts', async () => {
    await line.create('fake\u001b[2Jtitle\nsecond', '--tenant', 'a\u202eb')
    const { stdout } = await line.muster('list')
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stdout).toContain('[a\\u202eb] fake\\x1b[2Jtitle\\nsecond')
  })

  test('`list` refuses a search text of more than 1000 characters', async () => {
    await line.create('A')
    const { code, stderr } = await line.muster('list', '--text', 'long '.repeat(201))
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be at most 1000 characters long')])
  })

  test('`list` accepts every sort order, and refuses an unknown one', async () => {
    await line.create('A')
    for (const sort of SORTS) expect((await line.muster('list', '--sort', sort, '--json')).json()).toHaveLength(1)
    expect(await line.muster('list', '--sort', 'size')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('created-desc'),
    })
  })

  test('`list --mine` lists my cards, unless --assignee names another agent', async () => {
    const [mine, other] = [
      await line.create('mine', '--assignee', 'Ada'),
      await line.create('other', '--assignee', 'eve'),
    ]
    expect((await line.muster('list', '--mine', '--json')).json()).toMatchObject([{ id: mine.id }])
    expect((await line.muster('list', '--mine', '--assignee', 'eve', '--json')).json()).toMatchObject([
      { id: other.id },
    ])
  })

  test('`list` refuses --after with a card of another board, and blank filters', async () => {
    const card = await line.create('A')
    await line.muster('init', '--board', 'other')
    const elsewhere = await line.muster('list', '--board', 'other', '--after', card.id)
    expect(elsewhere).toMatchObject({ code: 3, stderr: expect.stringContaining('is on board default') })
    for (const flag of ['--assignee', '--tenant', '--text'])
      expect(await line.muster('list', flag, ' ')).toMatchObject({ code: 2, stdout: '' })
    expect(await line.muster('list', '--board', 'other')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No matching cards.\n',
    })
  })

  test('repeated filters select cards that match any of their values', async () => {
    await line.create('a', '--assignee', 'coder', '--hold')
    await line.create('b', '--triage', '--assignee', 'writer')
    await line.create('c', '--initial-status', 'blocked')
    const titles = async (...flags: string[]) =>
      ((await line.muster('list', '--sort', 'title', '--json=title', ...flags)).json() as { title: string }[]).map(
        ({ title }) => title,
      )
    expect(await titles('--status', 'triage', '--status', 'blocked')).toEqual(['b', 'c'])
    expect(await titles('-a', 'coder', '-a', 'none')).toEqual(expect.arrayContaining(['a', 'c']))
    expect(await titles('-a', 'coder', '-a', 'writer', '--status', 'triage')).toEqual(['b'])
  })

  test('`list --after` accepts a deleted card as the start of a page', async () => {
    const [first, second] = [await line.create('A'), await line.create('B')]
    await line.muster('delete', first.id)
    expect((await line.muster('list', '--after', first.id, '--json')).json()).toMatchObject([{ id: second.id }])
  })
})

describe('list of waiting cards', () => {
  test('`list` shows holds and the questions of blocked cards', async () => {
    const held = await line.create('Paint it', '--hold')
    const asking = await line.create('Serve it')
    await line.muster('block', asking.id, 'Which port?\nAnd which host?')
    const rows = (await line.muster('list')).stdout.split('\n')
    expect(rows.find((row) => row.includes(held.id))).toMatch(/\tready, on hold\t/)
    expect(rows.find((row) => row.includes(asking.id))).toMatch(
      /\tblocked\t.*Serve it {2}\(needs input: Which port\?.*host\?\)$/,
    )
    expect((await onTerminal(100, 'list')).find((row) => row.includes(held.id))).toContain('ready, on hold')
    for (const row of await onTerminal(40, 'list')) expect(widthOf(row)).toBeLessThanOrEqual(40)
    await line.muster('unblock', asking.id)
    expect((await line.muster('list')).stdout).not.toContain('Which port?')
  })
})

describe('show', () => {
  test('the question of an earlier run is not shown as the result', async () => {
    const card = await line.create('Serve', '--assignee', 'shell', '--body', 'true')
    await line.muster('claim', card.id)
    await line.muster('block', card.id, 'Which colour?')
    await line.muster('answer', card.id, 'Blue.')
    expect((await line.muster('show', card.id)).stdout).not.toMatch(/^Result$/m)
  })

  test('`show` prints a limit of one failure in the singular', async () => {
    const card = await line.create('Once', '--max-retries', '1')
    expect((await line.muster('show', card.id)).stdout).toContain("gives up after 1 failure (the card's limit)")
  })

  test('`show` prints the status of a card first, then every field', async () => {
    const flags = '--priority 3 --max-retries 4 --max-runtime 90m --reviewer critic --check true'
    const card = await line.create('Whole', '--body', 'do\nit', '--hold', ...flags.split(' '))
    await line.muster('comment', card.id, 'first line\nsecond')
    const page = (await line.muster('show', card.id)).stdout
    expect(page).toMatch(/^▶ t_\w+ {2}Whole\n {2}ready, on hold · \(unassigned\) · board default\n/)
    for (const text of [
      '  · The card is on hold.\n    → muster release t_',
      'Description\n  do\n  it\n',
      'reviewer    critic',
      'check       true',
      'time limit  1.5 h',
      "gives up after 4 failures in a row (the card's limit)",
      'ada: first line\n    second\n',
      'commented',
    ])
      expect(page).toContain(text)
  })

  test('`show` and `runs` need --state-type and --state-name together', async () => {
    const card = await line.create('A')
    for (const command of ['show', 'runs']) {
      const half = await line.muster(command, card.id, '--state-name', 'crashed')
      expect(half).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('Give both --state-type and --state-name, or neither.'),
      })
      expect(await line.muster(command, card.id, '--state-type', 'colour')).toMatchObject({ code: 2 })
    }
    expect((await line.muster('runs', card.id)).stdout).toBe('(no runs)\n')
  })
})

describe('context', () => {
  test('`context` escapes control characters only on a terminal', async () => {
    const card = await line.create('A', '--body', 'ring \u0007 it')
    expect((await line.muster('context', card.id)).stdout).toContain('ring \u0007 it')
    expect((await onTerminal(80, 'context', card.id)).join('\n')).toContain('ring \\x07 it')
  })
})

describe('stats', () => {
  test('`stats` fits the terminal and counts every status', async () => {
    await line.create('A', '--assignee', 'a-very-long-name-of-an-agent-that-does-not-fit')
    for (const shown of await onTerminal(20, 'stats')) expect(widthOf(shown)).toBeLessThanOrEqual(20)
    expect((await line.muster('stats')).stdout).toMatch(/◎ review +0\n/)
  })
})

test('`list --label` ignores case and refuses an invalid label', async () => {
  const { muster } = line
  await muster('create', 'A', '--label', 'Bug', '--label', 'ui')
  await muster('create', 'B', '--label', 'bug')
  expect(((await muster('list', '--label', 'BUG', '--json')).json() as unknown[]).length).toBe(2)
  expect((await muster('list', '--label', 'bug', '--label', 'UI')).stdout).toMatch(/A #bug #ui\n$/)
  for (const label of ['a,b', 'a b', 'none', ''])
    expect(await muster('list', '--label', label)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('repeat the flag to give several') as string,
    })
})
