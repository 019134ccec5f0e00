// Tests every flag of `create`, and every value that is not valid.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readWorkspace } from '../../src/cli/places.ts'
import { taskView } from '../../src/operations/shared/views.ts'
import { makeCliHome, makeMissingCliHome } from '../helpers/in-process.ts'
import type { CliHome } from '../helpers/in-process.ts'
import { localHours } from '../helpers/local-hours.ts'
import { writeSkill } from '../helpers/skills.ts'
import { testHere } from '../helpers/through-url.ts'

async function created({ muster }: CliHome, ...argv: string[]) {
  const { stdout, stderr } = await muster('create', ...argv, '--json')
  if (stdout === '') throw new Error(stderr)
  return taskView.strict().parse(JSON.parse(stdout))
}

const listed = async ({ muster }: CliHome) => (await muster('list', '--json')).json() as unknown[]

test('every flag of `create` sets its field', async () => {
  const cli = makeCliHome()
  const parent = await created(cli, 'First', '--tenant', 'acme')
  for (const name of ['style', 'tests']) writeSkill(join(cli.home, 'skills'), name)
  const flags = [
    ['--body', 'text', '--assignee', 'Coder', '--parent', parent.id, '--workspace', 'worktree:/srv/repo'],
    ['--branch', 'fix/login', '--priority', '-5', '--skill', 'style', '--skill', 'tests', '--max-runtime', '1.5h'],
    ['--max-retries', '3', '--model', 'large', '--provider', 'acme', '--effort', 'high'],
    ['--check', 'npm test', '--check', 'npm run lint'],
    ['--idempotency-key', 'k', '--session', 's1', '--workflow', 'w1', '--step', 'two', '--reviewer', 'Ada', '--hold'],
  ].flat()
  expect(await created(cli, 'Child', ...flags)).toMatchObject({
    title: 'Child',
    body: 'text',
    status: 'todo',
    assignee: 'coder',
    parents: [parent.id],
    tenant: 'acme',
    workspace: { kind: 'worktree', path: null, repo: '/srv/repo' },
    branch: 'fix/login',
    priority: -5,
    skills: ['style', 'tests'],
    maxRuntimeMs: 5_400_000,
    maxRetries: 3,
    model: 'large',
    provider: 'acme',
    effort: 'high',
    checks: ['npm test', 'npm run lint'],
    idempotencyKey: 'k',
    session: 's1',
    workflow: 'w1',
    step: 'two',
    reviewer: 'ada',
    held: true,
    createdBy: 'ada',
  })
})

test('a new card gets the status that its flags ask for', async () => {
  const cli = makeCliHome()
  expect(await created(cli, 'a')).toMatchObject({ status: 'ready', workspace: { kind: 'scratch' }, goal: null })
  expect(await created(cli, 'b', '--triage')).toMatchObject({ status: 'triage' })
  expect(await created(cli, 'c', '--initial-status', 'running')).toMatchObject({ status: 'ready' })
  expect(await created(cli, 'd', '--initial-status', 'blocked')).toMatchObject({
    status: 'blocked',
    blockKind: 'needs_input',
    blockedBy: 'ada',
  })
  const later = await created(cli, 'e', '--at', '+2h')
  expect(later).toMatchObject({ status: 'scheduled', dueAt: later.scheduledAt })
  expect(await created(cli, 'g', '--assignee', 'none')).toMatchObject({ assignee: null })
})

describe('--workspace', () => {
  test.each([
    ['scratch', { kind: 'scratch', path: null, repo: null }],
    ['dir', { kind: 'dir', path: null, repo: null }],
    ['dir:/srv/my site', { kind: 'dir', path: '/srv/my site', repo: null }],
    ['dir:~/site', { kind: 'dir', path: join(homedir(), 'site'), repo: null }],
    ['worktree', { kind: 'worktree', path: null, repo: null }],
    ['worktree:~', { kind: 'worktree', path: null, repo: homedir() }],
  ])('%s is read as a workspace', (typed, meant) => expect(readWorkspace(typed)).toEqual(meant))

  test('a workspace without a path uses the default directory of the board', async () => {
    const cli = makeCliHome()
    await cli.muster('boards', 'create', 'site', '--default-directory', '/srv/site')
    expect(await created(cli, 'a', '--board', 'site', '--workspace', 'dir')).toMatchObject({
      workspace: { kind: 'dir', path: '/srv/site' },
    })
    expect(await created(cli, 'b', '--board', 'site', '--workspace', 'worktree')).toMatchObject({
      workspace: { kind: 'worktree', repo: '/srv/site' },
    })
    const none = await cli.muster('create', 'c', '--workspace', 'dir')
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a directory (dir:/path)') })
  })
})

describe('invalid create commands', () => {
  test.each([
    [[''], 'title must not be blank'],
    [['   '], 'title must not be blank'],
    [['x'.repeat(200_000)], 'title must be at most 500 characters; put the rest into the body'],
    [['x', '--body', 'x'.repeat(1_000_001)], 'body must be at most 1000000 characters; attach a file instead'],
    [['x', '--body', 'a\0b'], 'body contains a NUL character'],
    [['x', '--workspace', 'dir:relative/path'], '--workspace: relative/path is relative: use an absolute path'],
    [['x', '--workspace', 'dir:'], '--workspace: add a path'],
    [['x', '--workspace', 'worktree:repo'], '--workspace: repo is relative'],
    [['x', '--workspace', 'scratch:/tmp'], '--workspace: use scratch, dir:/absolute/path'],
    [['x', '--workspace', 'cloud'], '--workspace: use scratch, dir:/absolute/path'],
    [['x', '--branch', 'main'], 'branch belongs to worktree workspaces only'],
    [['x', '--workspace', 'worktree:/r', '--branch', '-x'], 'branch must not start with "-"'],
    [['x', '--max-runtime', 'soon'], '--max-runtime: use a duration such as 90 (seconds)'],
    [['x', '--max-runtime', '0'], '--max-runtime: use a duration such as 90 (seconds)'],
    [['x', '--max-retries', '0'], '--max-retries: use a whole number, 1 or more'],
    [['x', '--goal-max-turns', '201'], '--goal-max-turns: use a whole number from 1 to 200'],
    [['x', '--judge', 'critic'], '--judge: use one of model, checks'],
    [['x', '--judge', 'checks'], 'goal has no checks that could judge it'],
    [['x', '--priority', '1e99'], '--priority: use a whole number'],
    [['x', '--at', 'yesterday'], '--at: use a time such as 2026-11-30'],
    [['x', '--at', '2020-01-01'], '--at: 2020-01-01 is in the past'],
    [['x', '--at', '2026-02-31'], '--at: use a time such as 2026-11-30'],
    [['x', '--initial-status', 'done'], '--initial-status: use one of blocked, running'],
    [['x', '--triage', '--initial-status', 'blocked'], 'triage and an initial status of blocked exclude each other'],
    [['x', '--skill', 'a,b'], '--skill: give one skill per flag'],
    [['x', '--check', ' '], 'checks must not be blank'],
    [['x', '--tenant', ''], 'tenant must not be blank'],
    [['x', '--created-by', 'me'], 'Unknown flag --created-by'],
    [['two', 'words'], 'Put a text of several words in quotes'],
    [['x', '--body', '@/no/such/file'], "Can't read /no/such/file: no such file or folder"],
    [['x', '--body'], '--body needs a value'],
  ])('create %j exits 2 with the reason and creates no data folder', async (argv, message) => {
    const cli = makeMissingCliHome()
    const { code, stdout, stderr } = await cli.muster('create', ...argv)
    expect(stderr).toContain(message)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^muster: .*\n$/)
    expect(readdirSync(cli.around)).toEqual([])
  })

  test('a refused create changes no board and prints one JSON error with --json', async () => {
    const cli = makeMissingCliHome()
    await cli.muster('init')
    for (const argv of [['x', '--parent', 't_zzzzzzzzzz'], [''], ['x', '--branch', 'b']]) {
      const { stdout, stderr } = await cli.muster('create', ...argv, '--json')
      expect(stdout).toBe('')
      expect(JSON.parse(stderr)).toMatchObject({ error: { message: expect.stringMatching(/\.$/) } })
    }
    expect(await listed(cli)).toEqual([])
  })

  test('a parent must exist on the same board', async () => {
    const cli = makeMissingCliHome()
    await cli.muster('boards', 'create', 'side')
    const elsewhere = await created(cli, 'elsewhere', '--board', 'side')
    expect(await cli.muster('create', 'x', '--parent', 't_zzzzzzzzzz')).toMatchObject({ code: 3 })
    expect(await cli.muster('create', 'x', '--parent', elsewhere.id)).toMatchObject({ code: 3 })
    expect(await listed(cli)).toEqual([])
  })

  test.each([
    ['NUL', Buffer.from('a\0b'), 'body contains a NUL character'],
    ['invalid UTF-8', Uint8Array.of(0x61, 0xff, 0xfe), 'is not valid UTF-8 text'],
    ['half a character', Uint8Array.of(0xf0, 0x9f, 0x99), 'is not valid UTF-8 text'],
  ])('%s in a file or on standard input is refused as bad text', async (_, bytes, message) => {
    const cli = makeMissingCliHome()
    const file = join(cli.around, 'body')
    writeFileSync(file, bytes)
    for (const argv of [
      ['--body', '-'],
      ['--body', `@${file}`],
    ]) {
      const { code, stderr } = await cli.run(['create', 'x', ...argv, '--json'], { stdin: bytes })
      expect([code, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'bad_text' } }])
      expect(stderr).toContain(message)
    }
    expect(readdirSync(cli.around)).toEqual(['body'])
  })
})

describe('notices after create', () => {
  testHere('create warns about a folder that does not exist or is no repository', async () => {
    const { muster, around } = makeCliHome()
    const create = async (workspace: string): Promise<string> =>
      (await muster('create', 'x', '--assignee', 'shell', '--body', 'true', '--workspace', workspace)).stderr
    const missing = join(around, 'nope')
    expect(await create(`dir:${missing}`)).toContain(`Warning: the folder ${missing} does not exist`)
    expect(await create(`worktree:${around}`)).toContain(`Warning: ${around} is not a git repository`)
    mkdirSync(join(around, '.git'))
    expect(await create(`worktree:${around}`)).toContain("Muster isn't running")
  })

  test('`create` and `assign` refuse a goal for an agent without further turns', async () => {
    const { muster } = makeCliHome()
    const refused = await muster('create', 'x', '--goal', '--assignee', 'shell')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('Agent shell ends its card when its program exits')
    const made = await muster('create', 'x', '--goal', '--assignee', 'coder')
    expect(made.stderr).toContain('No model judges the goal yet')
    const id = /t_\w+/.exec(made.stdout)?.[0] ?? ''
    expect((await muster('assign', id, 'shell')).stderr).toContain('Agent shell ends its card')
    expect((await muster('edit', id, '--goal-max-turns', '7', '--judge', 'checks', '--check', 'true')).code).toBe(0)
    expect(JSON.parse((await muster('show', id, '--json')).stdout)).toMatchObject({
      goal: { maxTurns: 7, judge: 'checks' },
    })
    expect((await muster('edit', id, '--no-goal')).code).toBe(0)
    expect((await muster('assign', id, 'shell')).code).toBe(0)
    expect((await muster('edit', id, '--goal')).stderr).toContain('Agent shell ends its card')
  })

  test('`create` warns about an agent that does not exist', async () => {
    const { muster, home } = makeCliHome()
    const { stdout, stderr } = await muster('create', 'x', '--assignee', 'coder')
    expect(stdout).toMatch(/^Created t_\w{10} {2}\(ready, assignee=coder\)\n$/)
    expect(stderr).toContain(
      `Agent coder does not exist on this machine, so the card waits until you add ${home}/agents/coder.md`,
    )
    const { stderr: about } = await muster('create', 'z', '--assignee', 'claude')
    expect(about).toContain('The card waits: Claude Code is not set up on this machine.')
    expect(about).toContain('Install Claude Code (npm install -g @anthropic-ai/claude-code), then run muster init')
    mkdirSync(join(home, 'agents'), { recursive: true })
    writeFileSync(join(home, 'agents', 'coder.md'), '---\nharness: shell\n---\nYou write code.\n')
    expect((await muster('create', 'y', '--assignee', 'coder', '--body', 'true')).stderr).toContain(
      "Muster isn't running",
    )
  })

  test('`create` and `assign` warn about each pause and print the command that ends the pause', async () => {
    const { muster, home } = makeCliHome()
    await muster('init')
    writeFileSync(join(home, 'agents', 'coder.md'), '---\nharness: command\nargs: [true]\naccount: acme\n---\n')
    const created = async (...argv: string[]): Promise<string> =>
      (await muster('create', 'x', '--assignee', 'coder', ...argv)).stderr
    expect(await created()).toBe("Muster isn't running. Start it with: muster up\n")
    for (const [paused, resume, sentence] of [
      [['agent', 'coder', '--reason', 'wrong model'], 'agent coder', 'The agent coder is paused: wrong model'],
      [['board', 'default'], 'board default', 'The board default is paused'],
      [['account', 'acme'], 'account acme', 'Account acme is paused'],
      [['machine'], 'machine', 'The machine m_'],
    ] as const) {
      expect(await muster('pause', ...paused)).toMatchObject({ code: 0 })
      const warnings = await created()
      expect(warnings).toContain(`The card waits: ${sentence}`)
      expect(warnings).toMatch(new RegExp(`→ .*muster resume ${resume}`))
      expect(warnings).toContain("Muster isn't running")
      expect(await created('--hold')).not.toContain('paused')
      const id = /t_\w+/.exec((await muster('create', 'y')).stdout)?.[0] ?? ''
      expect((await muster('assign', id, 'coder')).stderr).toContain(`The card waits: ${sentence}`)
      expect(await muster('resume', ...paused.slice(0, 2))).toMatchObject({ code: 0 })
    }
    expect(await created()).toBe("Muster isn't running. Start it with: muster up\n")
  })

  test('`create` warns if the board is outside its active hours', async () => {
    const { muster } = makeCliHome()
    await muster('init')
    const hours = localHours(Date.now() + 2 * 3_600_000, Date.now() + 4 * 3_600_000).text
    await muster('boards', 'set', 'default', '--active-hours', hours)
    const { stderr } = await muster('create', 'x', '--assignee', 'shell', '--body', 'true')
    expect(stderr).toContain(`The card waits: Starts at ${hours.slice(0, 5)}: board default is active ${hours}.`)
    expect(stderr).toContain("To change the hours: muster boards set default --active-hours '…'")
  })

  test('an escape sequence in an agent name is printed as text', async () => {
    const { stdout, stderr } = await makeCliHome().muster('create', 'x', '--assignee', 'a\x1b[31mb')
    expect(stdout + stderr).toContain('a\\x1b[31mb')
    expect(stdout + stderr).not.toContain('\x1b')
  })

  test('an idempotency key finds its card again, even if the card is in the trash', async () => {
    const cli = makeCliHome()
    const card = await created(cli, 'A', '--idempotency-key', 'k')
    await cli.muster('delete', card.id)
    const again = await cli.muster('create', 'A', '--idempotency-key', 'k')
    expect(again.stdout).toContain(`Found ${card.id}`)
    expect(again.stderr).toContain(`muster undelete ${card.id}`)
  })

  test('`create --json` prints no notices', async () => {
    const { stderr } = await makeCliHome().muster('create', 'x', '--assignee', 'coder', '--json')
    expect(stderr).toBe('')
  })
})

test('a huge body is stored unchanged', async () => {
  const cli = makeCliHome()
  const body = `${'ü\t\x1b[0m'.repeat(100_000)}\n`
  const { stdout } = await cli.run(['create', 'x', '--body', '-', '--json'], { stdin: body })
  expect((JSON.parse(stdout) as { body: string }).body).toBe(body)
})
