// Tests the output and the exit codes of the command line, in this process. The real binary is tested in test/e2e.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { taskDetails, taskView } from '../../src/operations/shared/views.ts'
import { makeMissingCliHome } from '../helpers/in-process.ts'
import type { CliHome } from '../helpers/in-process.ts'

let cli: CliHome
let home = ''
beforeEach(() => {
  cli = makeMissingCliHome()
  home = cli.home
})

const muster: CliHome['muster'] = (...argv) => cli.muster(...argv)
const run: CliHome['run'] = (argv, how) => cli.run(argv, how)

async function create(...argv: string[]) {
  const { code, stdout, stderr } = await muster('create', ...argv, '--json')
  if (code !== 0) throw new Error(stderr)
  return taskView.parse(JSON.parse(stdout))
}

describe('invalid commands', () => {
  test.each([
    [['lst'], 'Unknown command "lst". Did you mean muster list?'],
    [['list', '--stauts', 'ready'], 'Unknown flag --stauts. Did you mean --status?'],
    [['list', '--status', 'open'], '--status: use one of triage,'],
    [['create'], 'muster create needs <title>. For help: muster create --help'],
    [['create', 'x', '--priority', 'high'], '--priority: use a whole number.'],
    [['create', 'x', '--max-runtime', 'soon'], '--max-runtime: use a duration such as 90 (seconds)'],
    [['show'], 'show needs <id>'],
    [['show', 't_abc', 'extra'], 'Unexpected argument "extra"'],
    [['list', '--board', 'Bad Name'], 'is not a board name'],
    [['complete', 't_aaa', 't_bbb', '--summary', 'x'], 'one by one'],
    [['complete', 't_aaa', '--metadata', '[1]'], '--metadata: use a JSON object'],
  ])('the command line %j exits 2 with a message', async (argv, message) => {
    const { code, stdout, stderr } = await run(argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^muster: .*\n$/)
    expect(stderr).toContain(message)
    expect(readdirSync(join(home, '..'))).toEqual([])
  })

  test('`--json` prints an error as one JSON value', async () => {
    const { code, stdout, stderr } = await muster('list', '--nope', '--json')
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'invalid_input',
        message: 'Unknown flag --nope. To list the flags: muster list --help',
        details: { usage: 'unknown_flag' },
      },
    })
  })
})

describe('help', () => {
  test.each([[[]], [['--help']], [['help']]])('%j lists the commands on standard output', async (argv) => {
    const { code, stdout, stderr } = await run(argv)
    expect([code, stderr]).toEqual([0, ''])
    for (const command of ['init', 'create', 'list', 'show', 'complete', 'dispatch', 'up', 'doctor'])
      expect(stdout).toContain(command)
  })

  test.each([[['create', '--help']], [['help', 'create']]])(
    'the command line %j prints the flags of a command',
    async (argv) => {
      expect((await run(argv)).stdout).toContain('--idempotency-key <key>')
    },
  )

  test('`--version` prints the version of Muster', async () => {
    expect(await muster('--version')).toMatchObject({ code: 0, stdout: '1.2.3\n' })
  })
})

describe('without a data folder', () => {
  test.each([[['list']], [['show', 't_abc']], [['complete', 't_abc']], [['dispatch']], [['doctor']]])(
    '%j without a data folder explains what to do and creates nothing',
    async (argv) => {
      const { code, stdout, stderr } = await run(argv)
      expect([code, stdout]).toEqual([3, ''])
      expect(stderr).toContain('Create your first card with muster create')
      expect(readdirSync(join(home, '..'))).toEqual([])
    },
  )

  test('creating the first card creates the data folder and prints its path once', async () => {
    const first = await muster('create', 'A')
    expect(first.code).toBe(0)
    expect(first.stderr).toContain(`Created your Muster folder: ${home}`)
    expect((await muster('create', 'B')).stderr).toBe('')
  })

  test('`init` creates the data folder, and a second `init` succeeds', async () => {
    const { code, stdout } = await muster('init', '--json')
    expect(code).toBe(0)
    const made = { home, store: join(home, 'muster.db'), board: 'default', created: true }
    expect(JSON.parse(stdout)).toEqual({ ...made, clis: expect.any(Array) })
    expect((await muster('init', '--json')).json()).toMatchObject({ created: false })
  })
})

describe('cards', () => {
  test('`create` prints the new card with all its fields', async () => {
    const parent = await create('Parent')
    const flags = '--assignee Coder --priority 5 --tenant acme --max-retries 3 --max-runtime 30m --hold'.split(' ')
    const child = await create('Child', '--body', 'text', '--parent', parent.id.slice(0, 8), ...flags)
    expect(child).toMatchObject({
      title: 'Child',
      body: 'text',
      status: 'todo',
      assignee: 'coder',
      priority: 5,
      tenant: 'acme',
      maxRetries: 3,
      maxRuntimeMs: 1_800_000,
      held: true,
      parents: [parent.id],
      createdBy: 'ada',
    })
  })

  test('`create` reads a body from standard input or from a file', async () => {
    const piped = await run(['create', 'A', '--body', '-', '--json'], { stdin: 'piped\n' })
    expect(piped.json()).toMatchObject({ body: 'piped\n' })
    writeFileSync(join(home, 'body.md'), 'from a file')
    expect(await create('B', '--body', `@${join(home, 'body.md')}`)).toMatchObject({ body: 'from a file' })
    expect(await muster('create', 'C', '--body', '@/no/such/file')).toMatchObject({ code: 2 })
    const broken = await run(['create', 'D', '--body', '-'], { stdin: Uint8Array.of(0xff) })
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('not valid UTF-8') })
  })

  test('a repeated `create` with an idempotency key creates no second card and reports different fields', async () => {
    const first = await create('A', '--idempotency-key', 'k')
    const again = await muster('create', 'Another', '--idempotency-key', 'k')
    expect(again.stdout).toContain(`Found ${first.id}`)
    expect(again.stderr).toContain('with a different title')
  })

  test('`list` prints an array, and `show` prints a card with its history', async () => {
    const card = await create('A')
    expect((await muster('list', '--json')).json()).toMatchObject([{ id: card.id }])
    expect((await muster('list', '--status', 'done', '--json')).json()).toEqual([])
    const { stdout } = await muster('show', card.id, '--json')
    expect(stdout.startsWith('{\n  "board"')).toBe(true)
    const shown = taskDetails.strict().parse(JSON.parse(stdout))
    expect(shown.events.map(({ kind }) => kind)).toEqual(['created'])
  })

  test('escape sequences in a title are printed as text', async () => {
    const card = await create('a\x1b[31mb')
    for (const argv of [['list'], ['show', card.id]]) {
      const { stdout } = await run(argv)
      expect(stdout).toContain('a\\x1b[31mb')
      expect(stdout).not.toContain('\x1b')
    }
  })

  test('a board that does not exist is an error', async () => {
    await muster('init')
    expect(await muster('list', '--board', 'other')).toMatchObject({ code: 3 })
    expect(await muster('create', 'x', '--board', 'other')).toMatchObject({ code: 3 })
  })

  test('`show` finds a card by the beginning of its id', async () => {
    const card = await create('A')
    expect((await muster('show', card.id.slice(0, 6), '--json')).json()).toMatchObject({ id: card.id })
    for (const typed of ['t_zzzzzzzzzz', 't_a', 'nonsense'])
      expect(await muster('show', typed)).toMatchObject({ code: 3 })
  })

  test('a NUL character in a body is refused as bad text', async () => {
    const { code, stderr } = await muster('create', 'A', '--body', 'a\0b', '--json')
    expect([code, (JSON.parse(stderr) as { error: { code: string } }).error.code]).toEqual([2, 'bad_text'])
  })
})

describe('complete', () => {
  test('`complete` prints a list for one card and for several cards', async () => {
    const [one, two] = [await create('A'), await create('B')]
    const single = await muster('complete', one.id, '--summary', 'all good', '--metadata', '{"tests":3}', '--json')
    expect(single.json()).toMatchObject([{ id: one.id, ok: true, task: { status: 'done', metadata: { tests: 3 } } }])
    const bulk = await muster('complete', two.id, 't_zzzzzzzzzz', '--json')
    expect(bulk.code).toBe(1)
    expect(bulk.json()).toMatchObject([
      { id: two.id, ok: true },
      { id: 't_zzzzzzzzzz', ok: false, error: { code: 'task_not_found' } },
    ])
  })

  test('a single failed complete exits with the code of its error', async () => {
    const parent = await create('A')
    const child = await create('B', '--parent', parent.id)
    expect(await muster('complete', 't_zzzzzzzzzz')).toMatchObject({ code: 3 })
    expect(await muster('complete', child.id)).toMatchObject({ code: 1, stderr: expect.stringContaining(parent.id) })
  })
})

test('`list` inside a run opens no store', async () => {
  const { code, stdout, stderr } = await run(['list', '--json'], { env: { MUSTER_RUN: 'r_0123456789' } })
  expect([code, stdout]).toEqual([4, ''])
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'run_over' } })
})

test('`doctor` finds no problems on a valid board', async () => {
  await create('A')
  expect(await muster('doctor')).toMatchObject({ code: 0, stdout: 'No problems found.\n' })
  expect((await muster('doctor', '--fix', '--json')).json()).toEqual([])
})

test('an internal error is one sentence, not a stack trace', async () => {
  await muster('init')
  const { code, stderr } = await muster('dispatch')
  expect(code).toBe(1)
  expect(stderr).toBe('muster: Something went wrong in Muster itself: this test has no dispatcher\n')
})
