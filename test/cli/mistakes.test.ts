// Tests the mistakes of new users: the answer names the thing and a command, and this command works as printed.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'
import { clockwork } from '../helpers/sample.ts'
import { testHere } from '../helpers/through-url.ts'

interface Mistake {
  readonly name: string
  /** The arguments of the command line. CARD is replaced by the id of a ready card. */
  readonly line: readonly string[]
  readonly says: RegExp
  /** The command that the answer names. If this is omitted, it is the first group of `says`. */
  readonly fix?: readonly string[]
}

const MISTAKES: readonly Mistake[] = [
  {
    name: 'a misspelled command',
    line: ['crate', 'x'],
    says: /Unknown command "crate"\. Did you mean muster (create)\?/,
    fix: ['create', 'x'],
  },
  {
    name: 'a misspelled flag',
    line: ['list', '--stauts', 'ready'],
    says: /Unknown flag --stauts\. Did you mean --status\?/,
    fix: ['list', '--status', 'ready'],
  },
  { name: 'an unknown letter', line: ['create', '-x'], says: /Unknown flag -x\. .*: muster (create -- -x)/ },
  {
    name: 'a letter of another program',
    line: ['log', 'CARD', '-s'],
    says: /Unknown flag -s\. Did you mean --supervisor\?/,
    fix: ['log', '--help'],
  },
  {
    name: 'a flag without its value',
    line: ['create', 'x', '--assignee'],
    says: /--assignee needs a value/,
    fix: ['create', 'x', '--assignee', 'shell'],
  },
  {
    name: 'an unknown card',
    line: ['show', 't_zzz'],
    says: /There is no card t_zzz\. To list the cards: muster (list)/,
  },
  { name: 'an id that is too short', line: ['show', 't_'], says: /at least three characters after t_/, fix: ['list'] },
  {
    name: 'an unknown board',
    line: ['create', 'x', '--board', 'wrok'],
    says: /There is no board wrok\. To create it: muster (boards create wrok)/,
  },
  {
    name: 'a misspelled setting',
    line: ['boards', 'set', 'default', 'maxRuning=3'],
    says: /did you mean maxRunning\?$/m,
    fix: ['boards', 'set', 'default', 'maxRunning=3'],
  },
  {
    name: 'a relative folder',
    line: ['create', 'x', '--workspace', 'dir:site'],
    says: /use an absolute path such as (dir:\S+?)\.$/m,
    fix: ['create', 'x', '--workspace', 'dir:/srv/site'],
  },
  { name: 'an empty title', line: ['create', ''], says: /title must not be blank/, fix: ['create', 'x'] },
  {
    name: 'an approval of a card that is not in review',
    line: ['approve', 'CARD'],
    says: /is ready; approve works on cards that are in review/,
    fix: ['request-review', 'CARD'],
  },
  {
    name: 'an answer to a card that asks nothing',
    line: ['answer', 'CARD', 'yes'],
    says: /muster (comment \S+)/,
    fix: ['comment', 'CARD', 'yes'],
  },
  {
    name: 'a block without a reason',
    line: ['block', 'CARD'],
    says: /Give a reason: muster block CARD --reason/,
    fix: ['block', 'CARD', '--reason', 'later'],
  },
  {
    name: 'a time in the past',
    line: ['schedule', 'CARD', '--at', '2001-01-01'],
    says: /is in the past/,
    fix: ['schedule', 'CARD', '--at', '+2h'],
  },
  {
    name: 'a word in place of a number',
    line: ['edit', 'CARD', '--priority', 'high'],
    says: /--priority: use a whole number/,
    fix: ['edit', 'CARD', '--priority', '2'],
  },
  {
    name: 'a card that would wait for itself',
    line: ['link', 'CARD', 'CARD'],
    says: /cannot wait for itself/,
    fix: ['list'],
  },
  {
    name: 'a misspelled event',
    line: ['watch', '--kind', 'complete'],
    says: /did you mean completed\?/,
    fix: ['watch', '--help'],
  },
  {
    name: 'an unknown field',
    line: ['list', '--json=titel'],
    says: /unknown field titel\. Did you mean title\?/,
    fix: ['list', '--json=title'],
  },
  {
    name: 'forcing without a reason',
    line: ['complete', 'CARD', '--force'],
    says: /add --reason/,
    fix: ['complete', 'CARD', '--force', '--reason', 'flaky test'],
  },
  {
    name: 'a pasted placeholder',
    line: ['comment', 'CARD', '…'],
    says: /replace … with a value/,
    fix: ['comment', 'CARD', 'hello'],
  },
]

const place = (words: readonly string[], id: string): string[] => words.map((word) => (word === 'CARD' ? id : word))

async function makeBoard(): Promise<{ line: CommandLine; id: string }> {
  const line = makeCommandLine()
  const { id } = await line.create('First', '--assignee', 'shell', '--body', 'true')
  return { line, id }
}

describe.each(MISTAKES)('$name', ({ line: words, says, fix }) => {
  test('the error for a mistake prints a remedy, and the remedy works', async () => {
    const { line, id } = await makeBoard()
    const { code: refused, stdout, stderr } = await line.muster(...place(words, id))
    expect([refused === 0, stdout]).toEqual([false, ''])
    const expected = new RegExp(says.source.replaceAll('CARD', id), says.flags)
    expect(stderr).toMatch(expected)
    const printed = expected.exec(stderr)?.[1]?.split(' ') ?? []
    expect(await line.muster(...place(fix ?? printed, id))).toMatchObject({ code: 0 })
  })
})

/** Puts a program in place of an agent CLI on the PATH. */
function install(line: CommandLine, name: string): string {
  const bin = join(line.around, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), '#!/bin/sh\necho 2.1.197\n')
  chmodSync(join(bin, name), 0o755)
  return `${bin}:/usr/bin:/bin`
}

test('printed commands begin with the name by which the program was called', async () => {
  const { line, id } = await makeBoard()
  const env = { MUSTER_PROGRAM: './muster' }
  expect((await line.run(['show', 't_zzz'], { env })).stderr).toContain('To list the cards: ./muster list')
  expect((await line.run(['create', 'x', '--assignee', 'shel'], { env })).stderr).toContain('./muster assign t_')
  const terminal = { columns: 100, rows: 24, colors: false }
  expect((await line.run(['why', id], { env, world: { terminal } })).stdout).toContain('→ ./muster up')
  expect((await line.run(['why', id], { env })).stdout).toContain('→ ./muster up')
  const colored = await line.run(['swarm'], { env, world: { errorTerminal: () => ({ ...terminal, colors: true }) } })
  expect(stripVTControlCharacters(colored.stderr)).toContain('muster: ./muster swarm needs <goal>.')
  expect((await line.run(['why', id])).stdout).toContain('→ muster up')
})

test('titles in the rows of a pipe and the briefing of a card keep their text', async () => {
  const { line } = await makeBoard()
  const env = { MUSTER_PROGRAM: './muster' }
  const { stdout } = await line.run(['create', 'Explain muster up', '-q'], { env })
  expect((await line.run(['list'], { env })).stdout).toContain('Explain muster up')
  expect((await line.run(['context', stdout.trim()], { env })).stdout).toContain('Explain muster up')
})

test('a shell card without a body is reported at once', async () => {
  const { line } = await makeBoard()
  const { stdout, stderr } = await line.muster('create', 'x', '--assignee', 'shell')
  expect(stderr).toContain('The card has no body')
  expect(stderr).toContain(`muster edit ${/t_\w+/.exec(stdout)?.[0]} --body '…'`)
})

describe('agents', () => {
  test('an agent with a missing CLI runs after the printed install command and `init`', async () => {
    const line = makeCommandLine()
    const { stderr } = await line.muster('create', 'x', '--assignee', 'claude')
    expect(stderr).toContain('Install Claude Code (npm install -g @anthropic-ai/claude-code), then run muster init')
    const PATH = install(line, 'claude')
    expect(await line.run(['init'], { env: { PATH } })).toMatchObject({ code: 0 })
    const [card] = (await line.muster('list', '--json=id')).json() as [{ id: string }]
    vi.stubEnv('PATH', PATH)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { stdout } = await line.muster('why', card.id)
    expect(stdout).not.toContain('Claude Code')
    expect(stdout).toContain("Muster isn't running")
  })

  test('a misspelled agent is corrected by the printed command', async () => {
    const line = makeCommandLine()
    const { stderr } = await line.muster('create', 'x', '--assignee', 'shel')
    const [, command = ''] = /Did you mean shell\? Then run: muster (.+)$/m.exec(stderr) ?? []
    expect(await line.muster(...command.split(' '))).toMatchObject({ code: 0 })
    expect((await line.muster('list', '--json=assignee')).json()).toEqual([{ assignee: 'shell' }])
  })

  test('an account that needs a login is resumed by the printed command', async () => {
    const line = makeCommandLine()
    const PATH = install(line, 'claude')
    await line.run(['init'], { env: { PATH } })
    const card = await line.create('x', '--assignee', 'claude')
    const input = { account: 'claude', cause: 'auth', reason: 'Invalid API key', until: null } as const
    unwrap(await (await line.store()).decide({ board: 'default', actor: clockwork, verb: 'pause_account', input }))
    const { stdout } = await line.run(['why', card.id], { env: { PATH } })
    const [, command = ''] = /Log in with claude, then run: muster (.+)$/m.exec(stdout) ?? []
    expect(await line.muster(...command.split(' '))).toMatchObject({ code: 0 })
    expect((await line.run(['why', card.id], { env: { PATH } })).stdout).not.toContain('Log in')
  })
})

describe('folders', () => {
  testHere('the printed command turns a folder without git into a repository', async () => {
    const line = makeCommandLine()
    await line.muster('init')
    const site = join(line.around, 'site')
    mkdirSync(site)
    const create = () =>
      line.muster('create', 'x', '--assignee', 'shell', '--body', 'true', '--workspace', `worktree:${site}`)
    expect((await create()).stderr).toContain(
      `${site} is not a git repository, so runs of this card fail. Run git init there`,
    )
    execFileSync('git', ['init', '--quiet', site])
    expect((await create()).stderr).not.toContain('git')
  })

  test.each([
    ['a file', '/dev/null'],
    ['a folder that cannot be written', '/proc/muster'],
  ])('a data folder that is %s gives one sentence and changes nothing', async (_, MUSTER_HOME) => {
    const line = makeCommandLine()
    const { code, stdout, stderr } = await line.run(['create', 'x'], { env: { MUSTER_HOME } })
    expect([code === 0, stdout, stderr.trim().split('\n').length]).toEqual([false, '', 1])
    expect(stderr).toContain(MUSTER_HOME)
    expect(stderr).toMatch(/MUSTER_HOME|folder/)
  })
})
