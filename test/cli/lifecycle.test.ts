// Tests the refusals of the commands that change a card. The effects of these commands are tested in test/e2e/commands.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'
import { card, person } from '../helpers/sample.ts'
import { writeSkill } from '../helpers/skills.ts'

const UNKNOWN = 't_zzzzzzzzzz'

let line: CommandLine
beforeEach(() => {
  line = makeCommandLine()
})

/** Expects one line on standard error, nothing on standard output, and an unchanged store. */
const refuses = (argv: readonly string[], code: number, message: string): Promise<void> =>
  refusesOn(line, argv, code, message)

async function refusesOn(on: CommandLine, argv: readonly string[], code: number, message: string): Promise<void> {
  const store = await on.store()
  const before = await store.exportAll()
  const result = await on.run(argv)
  expect([result.code, result.stdout]).toEqual([code, ''])
  expect(result.stderr).toMatch(/^muster: [^\n]*(\.|: muster [^\n]+)\n$/)
  expect(result.stderr).toContain(message)
  expect(await store.exportAll()).toEqual(before)
}

const twins = [card('aa1'), card('aa2')]

async function createTwins(on: CommandLine): Promise<void> {
  await on.muster('init')
  const store = await on.store()
  const input = { cards: twins.map((id) => ({ id, title: 'A twin' })) }
  unwrap(await store.decide({ verb: 'create', board: 'default', actor: person, input }))
}

describe('an unknown card', () => {
  type Line = readonly [command: string, ...rest: string[]]
  const single: readonly Line[] = [
    ['assign', 'coder'],
    ['reassign', 'coder'],
    ['edit', '--title', 'x'],
    ['comment', 'hello'],
    ['request-changes', 'more'],
    ['claim'],
    ['heartbeat'],
  ]
  const many: readonly Line[] = [
    ['block', 'why'],
    ['unblock'],
    ['reopen'],
    ['schedule'],
    ['promote'],
    ['promote', '--dry-run'],
    ['hold'],
    ['release'],
    ['archive'],
    ['unarchive'],
    ['delete'],
    ['undelete'],
    ['approve'],
    ['approve', '--commands'],
    ['request-review'],
    ['reclaim'],
  ]
  const each = (lines: readonly Line[]) => lines.map((argv) => [argv] as const)
  /** The command line is shared, because refused commands change nothing. */
  const shared = makeCommandLine(afterAll)
  beforeAll(() => createTwins(shared))

  test.each(each([...single, ...many]))(
    'the command %j refuses an unknown id and an ambiguous prefix',
    async ([command, ...rest]) => {
      await refusesOn(shared, [command, UNKNOWN, ...rest], 3, `There is no card ${UNKNOWN}.`)
      await refusesOn(shared, [command, 't_00000', ...rest], 2, 't_0000000aa1, t_0000000aa2. Type more characters')
    },
  )

  test.each(each(many))(
    'the command %j continues with the other cards after an error, and exits 1',
    async ([command, ...rest]) => {
      const other = await shared.create('Other')
      const { code, json } = await shared.muster(command, UNKNOWN, other.id, ...rest, '--json')
      expect(code).toBe(1)
      const rows = json() as { id: string; ok: boolean }[]
      expect(rows[0]).toMatchObject({ id: UNKNOWN, ok: false, error: { code: 'task_not_found' } })
      expect(rows[1]?.id).toBe(other.id)
    },
  )

  test('a card in the trash is refused with the command that restores it', async () => {
    const { id } = await line.create('A')
    await line.muster('delete', id)
    await refuses(['hold', id.slice(0, 9)], 3, `${id} is in the trash. To restore it: muster undelete ${id}`)
  })
})

describe('links', () => {
  let a: TaskView
  let b: TaskView
  beforeEach(async () => {
    a = await line.create('A')
    b = await line.create('B')
  })

  test('a link that closes a cycle is refused', async () => {
    await line.muster('link', a.id, b.id)
    await refuses(['link', b.id, a.id], 1, `${b.id} already waits for ${a.id}`)
    await refuses(['link', a.id, a.id], 1, 'cannot wait for itself')
    await refuses(['unlink', b.id, a.id], 3, `Card ${a.id} does not wait for ${b.id}`)
  })

  test('a link between two boards is refused', async () => {
    await line.muster('init', '--board', 'work')
    const other = await line.create('C', '--board', 'work')
    await refuses(['link', other.id, b.id], 3, `${other.id} is on board work, and ${b.id} on default`)
  })

  test('a link to an unknown card is refused', async () => {
    await refuses(['link', a.id, UNKNOWN], 3, UNKNOWN)
    await refuses(['unlink', UNKNOWN, a.id], 3, UNKNOWN)
  })
})

describe('invalid commands', () => {
  /** The command line is shared, because refused commands change nothing. */
  const shared = makeCommandLine(afterAll)
  let id: string
  beforeAll(async () => {
    id = (await shared.create('A')).id
  })

  test.each([
    [['block', 'ID'], 2, 'Give a reason: muster block'],
    [['block', 'ID', '--reason', ' '], 2, 'reason must not be blank'],
    [['block', 'ID', 'one', '--reason', 'two'], 2, 'Give the reason after the ids or with --reason'],
    [['block', 'nonsense'], 2, 'give at least one card'],
    [['block', 'ID', 'x', '--kind', 'lazy'], 2, '--kind: use one of needs_input, capability'],
    [['schedule', 'ID', '--at', 'soon'], 2, '--at: use a time such as 2026-11-30'],
    [['schedule', 'ID', '--at', '2020-02-31'], 2, '--at: use a time'],
    [['schedule', 'ID', '--at', '2020-01-01T00:00:00Z'], 2, '--at: 2020-01-01T00:00:00Z is in the past'],
    [['edit', 'ID'], 2, 'Nothing to change. To list the fields: muster edit --help'],
    [['edit', 'ID', '--title', ''], 2, 'title must not be blank'],
    [['edit', 'ID', '--title', 'a\0b'], 2, 'title contains a NUL character'],
    [['edit', 'ID', '--branch', 'topic'], 2, 'has no worktree'],
    [['edit', 'ID', '--max-runtime', 'long'], 2, '--max-runtime: use a duration such as 90'],
    [['edit', 'ID', '--metadata', '{'], 2, '--metadata: use a JSON object'],
    [['edit', 'ID', '--skill', 'git', '--clear-skills'], 2, 'Give --skill or --clear-skills, not both'],
    [['edit', 'ID', '--goal', '--no-goal'], 2, 'Give --no-goal alone'],
    [['edit', 'ID', '--judge', 'critic'], 2, '--judge: use one of model, checks'],
    [['edit', 'ID', '--judge', 'checks'], 2, 'has no checks that could judge its goal'],
    [['edit', 'ID', '--goal-max-turns=0'], 2, '--goal-max-turns: use a whole number from 1 to 200'],
    [['edit', 'ID', '--title', 'new', '--result', 'r'], 2, 'Give --result, --summary and --metadata alone.'],
    [['edit', 'ID', '--reset-failures', '--result', 'r'], 2, 'Give --result, --summary and --metadata alone.'],
    [['edit', 'ID', '--result', 'r', '--clear-claim'], 2, 'Give --result, --summary and --metadata alone.'],
    [['edit', 'ID', '--title', 'new', '--clear-claim'], 1, 'works on cards that are running'],
    [['edit', 'ID', '--result', 'r'], 1, 'amending the result works on cards that are done'],
    [['edit', 'ID', '--clear-claim'], 1, 'works on cards that are running'],
    [['comment', 'ID'], 2, 'Give a comment: muster comment'],
    [['comment', 'ID', 'a', '--body', 'b'], 2, 'not both'],
    [['comment', 'ID', ' '], 2, 'body must not be blank'],
    [['comment', 'ID', '--body', '@/no/such/file'], 2, "Can't read /no/such/file"],
    [['comment', 'ID', 'a', '--max-len', '0'], 2, '--max-len: use a whole number, 1 or more'],
    [['reassign', 'ID', 'none'], 2, 'Name an agent'],
    [['reassign', 'ID', 'coder', '--reason', 'x'], 2, '--reason needs --reclaim'],
    [['request-changes', 'ID'], 2, 'Describe the changes'],
    [['request-changes', 'ID', 'x'], 1, 'request-changes works on cards that are in review'],
    [['request-review', 'ID', 't_other', '--summary', 'x'], 2, 'is for one card'],
    [['approve', 'ID', 't_other', '--summary', 'x'], 2, 'is for one card'],
    [['approve', 'ID', '--commands', '--force'], 2, 'Use --commands without --summary, --force and --reason'],
    [['approve', 'ID', '--yes'], 2, '--yes needs --commands'],
    [['approve', 'ID'], 1, 'approve works on cards that are in review'],
    [['heartbeat', 'ID'], 1, 'works on cards that are claimed by hand'],
    [['reclaim', 'ID'], 1, 'works on cards that are running'],
    [['unblock', 'ID'], 1, 'works on cards that are blocked or scheduled'],
    [['reopen', 'ID'], 1, 'works on cards that are done, archived or in review'],
    [['unarchive', 'ID'], 1, 'works on cards that are archived'],
    [['undelete', 'ID'], 1, 'is not in the trash'],
    [['promote', 'ID'], 1, 'works on cards that are in triage, todo or blocked'],
    [['promote', 'ID', '--dry-run'], 1, 'works on cards that are in triage, todo or blocked'],
  ])('%j exits %i and changes nothing', async (argv, code, message) => {
    await refusesOn(
      shared,
      argv.map((argument) => (argument === 'ID' ? id : argument)),
      code,
      message,
    )
  })
})

test('a title of 200 kB is refused', async () => {
  const { id } = await line.create('A')
  await refuses(['edit', id, '--title', 'x'.repeat(200_000)], 2, 'title must be at most 500 characters')
})

test.each([
  [['block', UNKNOWN, 'why']],
  [['assign', UNKNOWN, 'coder']],
  [['edit', UNKNOWN, '--title', 'x']],
  [['comment', UNKNOWN, 'hello']],
  [['claim', UNKNOWN]],
  [['promote', UNKNOWN, '--dry-run']],
])('%j without a data folder explains what to do and creates nothing', async (argv) => {
  expect(await line.run(argv)).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('muster init') })
  expect(existsSync(line.home)).toBe(false)
})

describe('edit', () => {
  test('`edit` changes every field, and the value none clears a field', async () => {
    const { id } = await line.create('A', '--assignee', 'shell')
    const flags = {
      title: 'B',
      body: 'text',
      priority: '4',
      tenant: 'acme',
      session: 's1',
      workflow: 'release',
      step: 'build',
      model: 'm1',
      provider: 'p1',
      effort: 'high',
      reviewer: 'Critic',
      'max-runtime': '2h',
      'max-retries': '5',
    }
    const argv = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
    for (const name of ['git', 'make']) writeSkill(join(line.home, 'skills'), name)
    const lists = ['--skill', 'git', '--skill', 'make', '--check', 'npm test', '--check', 'npm run lint']
    const edited = (await line.muster('edit', id, ...argv, ...lists, '--json')).json()
    expect(edited).toMatchObject({
      title: 'B',
      body: 'text',
      priority: 4,
      tenant: 'acme',
      session: 's1',
      workflow: 'release',
      step: 'build',
      model: 'm1',
      provider: 'p1',
      effort: 'high',
      reviewer: 'critic',
      maxRuntimeMs: 7_200_000,
      maxRetries: 5,
      skills: ['git', 'make'],
      checks: ['npm test', 'npm run lint'],
      assignee: 'shell',
    })

    const nullable = 'body tenant session workflow step model provider effort reviewer max-runtime max-retries'
    const cleared = nullable.split(' ').flatMap((flag) => [`--${flag}`, 'none'])
    const none = ['--clear-skills', '--check', 'none']
    expect((await line.muster('edit', id, ...cleared, ...none, '--json')).json()).toMatchObject({
      title: 'B',
      body: null,
      tenant: null,
      session: null,
      workflow: null,
      step: null,
      model: null,
      provider: null,
      effort: null,
      reviewer: null,
      maxRuntimeMs: null,
      maxRetries: null,
      skills: null,
      checks: [],
    })
    expect((await line.muster('edit', id, '--skill', 'none', '--json')).json()).toMatchObject({ skills: [] })
  })

  test('`edit` reads a body from standard input', async () => {
    const { id } = await line.create('A')
    const { json } = await line.run(['edit', id, '--body', '-', '--json'], { stdin: 'piped\n' })
    expect(json()).toMatchObject({ body: 'piped\n' })
  })
})

test('a comment is cut to --max-len, and the cut is marked', async () => {
  const { id } = await line.create('A')
  const { json } = await line.muster('comment', id, 'word'.repeat(20), '--max-len', '30', '--json')
  expect(json()).toMatchObject({ author: 'ada', body: 'wordwordwordw… (trimmed to 30)' })
})

test('ids can be arguments or --ids, and duplicates count once', async () => {
  const [a, b, c] = [await line.create('A'), await line.create('B'), await line.create('C')]
  const { json } = await line.muster('hold', a.id, b.id, 'not yet', '--ids', `${b.id},${c.id}`, '--json')
  expect((json() as { id: string; ok: boolean }[]).map(({ id, ok }) => [id, ok])).toEqual([
    [a.id, true],
    [b.id, true],
    [c.id, true],
  ])
  for (const { id } of [a, b, c])
    expect((await line.show(id)).events.at(-1)).toMatchObject({ kind: 'held', data: { reason: 'not yet' } })
})

test('a parent and its child are completed in the given order', async () => {
  const parent = await line.create('A')
  const child = await line.create('B', '--parent', parent.id)
  expect(await line.muster('complete', parent.id, child.id)).toMatchObject({ code: 0 })
})

describe('approve --commands at a terminal', () => {
  const atTerminal = (answer: boolean | null, asked: string[] = []) => ({
    terminal: { columns: 80, rows: 24, colors: false },
    confirm: async (question: string) => {
      asked.push(question)
      return answer
    },
  })
  /** Creates a card whose script an agent wrote. */
  async function cardWithScript() {
    const { id } = await line.create('A', '--assignee', 'shell')
    const actor = { kind: 'orchestrator', name: 'boss', taskId: null, runId: null } as const
    const input = { task: id, set: { body: 'rm -rf build' } }
    unwrap(await (await line.store()).decide({ verb: 'edit', board: 'default', actor, input }))
    return { id, isApproved: async () => (await line.show(id)).commandsApproved }
  }

  test('`approve --commands` prints the commands, and approves them only after a yes', async () => {
    const { id, isApproved } = await cardWithScript()
    const asked: string[] = []
    const no = await line.run(['approve', id, '--commands'], { world: atTerminal(false, asked) })
    expect(no).toMatchObject({ code: 1, stderr: `muster: The commands of ${id} were not approved.\n` })
    expect(no.stdout).toMatch(/^t_\w+ will run:[^]*\n {2}body, run as a script\n {4}rm -rf build\n$/)
    expect([asked, await isApproved()]).toEqual([['Approve? [y/N] '], false])
    const yes = await line.run(['approve', id, '--commands'], { world: atTerminal(true) })
    expect([yes.code, yes.stdout.endsWith(`rm -rf build\nApproved the commands of ${id}\n`)]).toEqual([0, true])
    expect(await isApproved()).toBe(true)
  })

  test('commands that changed after they were shown are not approved', async () => {
    const { id, isApproved } = await cardWithScript()
    const world = {
      ...atTerminal(true),
      confirm: async () => (await line.muster('edit', id, '--body', 'rm -rf /')).code === 0,
    }
    const { code, stderr } = await line.run(['approve', id, '--commands'], { world })
    expect([code, stderr]).toEqual([4, expect.stringContaining('have changed since they were shown')])
    expect(await isApproved()).toBe(false)
  })

  test.each([['--yes'], ['--json'], ['--dry-run']])('no confirmation is requested with %s', async (flag) => {
    const { id } = await cardWithScript()
    const asked: string[] = []
    const { code } = await line.run(['approve', id, '--commands', flag], { world: atTerminal(false, asked) })
    expect([code, asked]).toEqual([0, []])
  })

  test('commands are approved without confirmation if there is no terminal', async () => {
    const { id, isApproved } = await cardWithScript()
    const { code, stdout } = await line.run(['approve', id, '--commands'], { world: atTerminal(null) })
    expect([code, stdout, await isApproved()]).toEqual([0, expect.stringContaining('Approved the commands of'), true])
  })
})

test('escape sequences in commands and names are printed as text', async () => {
  const { id } = await line.create('A', '--assignee', 'shell', '--body', 'echo \x1b[31mred')
  const { stdout } = await line.muster('approve', id, '--commands')
  expect(stdout).toContain('echo \\x1b[31mred')
  expect((await line.muster('assign', id, 'a\x1b[2J')).stdout).toContain('a\\x1b[2j')
})
