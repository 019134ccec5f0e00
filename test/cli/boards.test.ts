// Tests the `boards` commands in this process: their output and their refusals.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { boardView } from '../../src/operations/boards/views.ts'
import { makeCliHome } from '../helpers/in-process.ts'
import type { CliHome } from '../helpers/in-process.ts'
import { testHere } from '../helpers/through-url.ts'

async function homeWith(...slugs: string[]): Promise<CliHome> {
  const cli = makeCliHome()
  await cli.muster('init')
  for (const slug of slugs) await cli.muster('boards', 'create', slug)
  return cli
}

const shown = async ({ muster }: CliHome, slug: string) =>
  boardView.strict().parse((await muster('boards', 'show', slug, '--json')).json())

describe('invalid boards commands', () => {
  test.each([
    [['boards', 'create', 'Bad Name'], '<slug>: use 1-64 characters'],
    [['boards', 'create', '--', '-x-'], '<slug>: use 1-64 characters'],
    [['boards', 'create', '../up'], '<slug>: use 1-64 characters'],
    [['boards', 'create', 'x'.repeat(65)], '<slug>: use 1-64 characters'],
    [['boards', 'switch', ''], '<slug>: use 1-64 characters'],
    [['boards', 'set', 'work'], 'Give at least one setting. To list them: muster boards show work'],
    [['boards', 'set', 'work', 'maxRuning=3'], 'unknown setting maxRuning; did you mean maxRunning?'],
    [['boards', 'set', 'work', 'zzz=3'], 'unknown setting zzz; to list the settings: muster boards show'],
    [['boards', 'set', 'work', 'maxRunning'], 'write maxRunning as key=value'],
    [['boards', 'set', 'work', 'maxRunning=many'], 'maxRunning must be a whole number'],
    [['boards', 'set', 'work', 'sharedDirectories=perhaps'], 'sharedDirectories must be on or off'],
    [['boards', 'set', 'work', 'worktreeCopy=.env,../secret'], 'must be a path within the repository'],
    [['boards', 'set', 'work', 'worktreeLink=/etc'], 'must be a path within the repository'],
    [['boards', 'set', 'work', 'failureLimit=0'], 'failureLimit must be a whole number, 1 or more'],
    [['boards', 'set', 'work', 'failureLimit=1.5'], 'failureLimit must be a whole number'],
    [['boards', 'set', 'work', 'staleMs=soon'], 'stale must be a duration: 90 (seconds)'],
    [['boards', 'set', 'work', '--default-directory', 'src'], 'defaultDirectory must be an absolute path'],
    [['boards', 'create', 'work', '--max-running', '-1'], '--max-running: maxRunning must be a whole number'],
    [['boards', 'delete', 'work'], 'To confirm, add --yes'],
    [['boards', 'lst'], 'Did you mean muster boards list?'],
  ])('the command %j exits 2 with a message and creates nothing', async (argv, message) => {
    const { run, around } = makeCliHome()
    const { code, stdout, stderr } = await run(argv)
    expect(stderr).toContain(message)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^muster: .*\n$/)
    expect(readdirSync(around)).toEqual([])
  })
})

describe('create', () => {
  test('a new board gets its name from the slug, and creating it again changes nothing', async () => {
    const cli = await homeWith()
    const made = await cli.muster('boards', 'create', ' My-Board ', '--max-running', '2', '--json')
    expect(made.json()).toMatchObject({
      slug: 'my-board',
      name: 'My Board',
      created: true,
      settings: { maxRunning: 2 },
    })
    const again = await cli.muster('boards', 'create', 'my-board', '--name', 'Other')
    expect(again).toMatchObject({ code: 0, stdout: 'Board my-board already exists.\n' })
    expect(again.stderr).toContain('To change it: muster boards set my-board')
    expect(await shown(cli, 'my-board')).toMatchObject({ name: 'My Board', total: 0, isCurrent: false })
  })

  test('`boards create` works before any other command, and --switch makes the new board current', async () => {
    const { muster, home } = makeCliHome()
    const first = await muster('boards', 'create', 'work', '--switch')
    expect(first).toMatchObject({ code: 0, stdout: 'Created board work (Work).\n' })
    expect(first.stderr).toContain('Created your Muster folder')
    expect(readFileSync(join(home, 'current'), 'utf8')).toBe('work\n')
    expect(((await muster('create', 'x', '--json')).json() as { board: string }).board).toBe('work')
  })
})

describe('list', () => {
  test('the list marks the current board and hides archived boards without --all', async () => {
    const cli = await homeWith('work', 'old')
    await cli.muster('create', 'a')
    await cli.muster('create', 'b', '--triage')
    await cli.muster('boards', 'rename', 'work', 'a\x1b[31mb')
    await cli.muster('boards', 'archive', 'old')
    const { stdout } = await cli.onTerminal('boards')
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^● default +Default +triage 1, ready 1; 2 cards$/),
      expect.stringMatching(/^ {2}work +a\\x1b\[31mb +\(empty\)$/),
      '',
    ])
    for (const argv of [
      ['boards', 'list', '--all'],
      ['boards', 'ls', '--all'],
    ])
      expect((await cli.onTerminal(...argv)).stdout).toContain('Old [archived]')
    const list = (await cli.muster('boards', '--json')).json() as unknown[]
    expect(list.map((board) => boardView.strict().parse(board).slug)).toEqual(['default', 'work'])
  })

  testHere('the list warns if the current board does not exist', async () => {
    const { muster, home } = await homeWith()
    writeFileSync(join(home, 'current'), 'gone\n')
    expect(await muster('boards')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The current board gone does not exist'),
    })
    expect(await muster('list')).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no board gone') })
    expect(await muster('boards', 'switch', 'default')).toMatchObject({ code: 0 })
    expect(await muster('list')).toMatchObject({ code: 0 })
  })

  test('`--board` selects the board to show', async () => {
    const { muster } = await homeWith('work')
    const list = (await muster('boards', '--board', 'work', '--json')).json() as { slug: string; isCurrent: boolean }[]
    expect(list.filter(({ isCurrent }) => isCurrent).map(({ slug }) => slug)).toEqual(['default'])
    expect((await muster('boards', 'show', '--board', 'Work', '--json')).json()).toMatchObject({ slug: 'work' })
    expect((await muster('boards', 'current', '--json')).json()).toMatchObject({ slug: 'default', isCurrent: true })
  })
})

describe('switch', () => {
  test('`switch` writes a private file and leaves no temporary file', async () => {
    const { muster, home } = await homeWith('work')
    const { stdout } = await muster('boards', 'use', 'WORK')
    expect(stdout).toBe('The current board is now `work` (Work).\n')
    expect(statSync(join(home, 'current')).mode & 0o777).toBe(0o600)
    expect(readdirSync(home).filter((name) => name.includes('tmp'))).toEqual([])
  })

  test('`switch` refuses an unknown or archived board', async () => {
    const { muster, home } = await homeWith('old')
    await muster('boards', 'archive', 'old')
    expect(await muster('boards', 'switch', 'nope')).toMatchObject({ code: 3 })
    expect(await muster('boards', 'switch', 'old')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unarchive'),
    })
    expect(existsSync(join(home, 'current'))).toBe(false)
  })

  test('`switch` warns if MUSTER_BOARD overrides the new current board', async () => {
    const { run } = await homeWith('work')
    const { stderr } = await run(['boards', 'switch', 'work'], { env: { MUSTER_BOARD: 'default' } })
    expect(stderr).toContain('MUSTER_BOARD=default overrides the current board')
  })
})

describe('set', () => {
  test('`set` accepts every setting as key=value, and the main settings as flags', async () => {
    const cli = await homeWith('work')
    const settings = [
      'maxRunning=3',
      'staleMs=2h',
      'reviewSkills=style, tests',
      'leaseMs=90',
      'defaultAssignee=123',
      'sharedDirectories=on',
      'retryKeepsFiles=no',
    ]
    const { code, stdout } = await cli.muster('boards', 'set', 'work', ...settings, '--default-directory', '~/site')
    expect(code).toBe(0)
    expect(stdout).toContain('stale=2h')
    expect((await shown(cli, 'work')).settings).toMatchObject({
      maxRunning: 3,
      staleMs: 7_200_000,
      reviewSkills: ['style', 'tests'],
      sharedDirectories: true,
      retryKeepsFiles: false,
      leaseMs: 90_000,
      defaultAssignee: '123',
      defaultDirectory: join(homedir(), 'site'),
    })
    const flags = ['--reviewer', 'Critic', '--failure-limit', '5', '--description', 'The site']
    await cli.muster('boards', 'set', 'work', 'stale=0', ...flags)
    expect(await shown(cli, 'work')).toMatchObject({
      description: 'The site',
      settings: { reviewer: 'critic', failureLimit: 5, staleMs: 0 },
    })
  })

  test('the values `none` and `default` reset a setting, and unchanged settings are reported', async () => {
    const cli = await homeWith('work')
    await cli.muster('boards', 'set', 'work', 'maxRunning=3', 'failureLimit=7')
    const { stdout } = await cli.muster('boards', 'set', 'work', 'failureLimit=none', '--max-running', 'default')
    expect(stdout).toBe('Changed board work: maxRunning=none, failureLimit=2.\n')
    expect((await cli.muster('boards', 'set', 'work', 'failureLimit=2')).stdout).toBe(
      'Board work already has these settings.\n',
    )
    expect((await cli.muster('boards', 'set', 'nope', 'failureLimit=2')).code).toBe(3)
  })

  test('`boards set` accepts the settings exactly as `boards show` prints them', async () => {
    const cli = await homeWith('work')
    const { stdout } = await cli.muster('boards', 'show', 'work')
    const settings = stdout.split('\n').filter((line) => /^ {2}\w+=/.test(line))
    expect(settings.length).toBeGreaterThan(20)
    const typed = await cli.muster('boards', 'set', 'work', ...settings.map((line) => line.trim()))
    expect(typed.stdout).toBe('Board work already has these settings.\n')
  })
})

describe('archive and delete', () => {
  test('an archived board accepts no cards and is no longer current', async () => {
    const cli = await homeWith('work')
    await cli.muster('boards', 'switch', 'work')
    const archived = await cli.muster('boards', 'archive', 'work')
    expect(archived.stderr).toContain('Switched to board default')
    expect(existsSync(join(cli.home, 'current'))).toBe(false)
    expect(await cli.muster('create', 'x', '--board', 'work')).toMatchObject({ code: 1 })
    await cli.muster('boards', 'unarchive', 'work')
    expect(await cli.muster('create', 'x', '--board', 'work')).toMatchObject({ code: 0 })
  })

  test('archiving another board does not change the current board', async () => {
    const cli = await homeWith('work', 'old')
    await cli.muster('boards', 'switch', 'work')
    await cli.muster('boards', 'archive', 'old')
    expect(readFileSync(join(cli.home, 'current'), 'utf8')).toBe('work\n')
  })

  test('the board `default` cannot be archived or deleted', async () => {
    const { muster } = await homeWith()
    for (const argv of [
      ['archive', 'default'],
      ['delete', 'default', '--yes'],
    ])
      expect(await muster('boards', ...argv)).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be') })
  })

  test('a board with cards must be archived before deletion, and deletion keeps its files', async () => {
    const cli = await homeWith('work')
    await cli.muster('create', 'x', '--board', 'work')
    const kept = join(cli.home, 'boards', 'work', 'workspaces', 't_0123456789')
    mkdirSync(kept, { recursive: true })
    writeFileSync(join(kept, 'draft.md'), 'only copy')
    const early = await cli.muster('boards', 'delete', 'work', '--yes')
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('archive it first') })
    await cli.muster('boards', 'archive', 'work')
    const gone = (await cli.muster('boards', 'delete', 'work', '--yes', '--json')).json() as { files: string }
    expect(gone).toMatchObject({ slug: 'work', name: 'Work' })
    expect(readFileSync(join(gone.files, 'workspaces', 't_0123456789', 'draft.md'), 'utf8')).toBe('only copy')
    expect(existsSync(join(cli.home, 'boards', 'work'))).toBe(false)
    expect(await cli.muster('boards', 'show', 'work')).toMatchObject({ code: 3 })
    expect((await cli.muster('doctor', '--json')).json()).toEqual([])
  })
})
