// Tests the commands that only read, through the real binary: their output as text and JSON, and that they change
// nothing.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MANIFEST } from '../../../src/cli/manifest.ts'
import { unwrap } from '../../../src/core/command.ts'
import type { VerbInput } from '../../../src/core/transitions/index.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import { sql } from '../../../src/storage/sql.ts'
import type { TaskView } from '../../../src/storage/store.ts'
import { makeCommandHome } from '../../helpers/cli.ts'
import type { TestHome } from '../../helpers/cli.ts'
import { card, person } from '../../helpers/sample.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'

type Reading = 'list' | 'show' | 'runs' | 'context' | 'why' | 'stats'

/** Runs a command with `--json` and parses its output with the schema of its operation. */
async function readJson<N extends Reading>(home: TestHome, name: N, ...args: string[]) {
  const { code, stdout, stderr } = await home.muster(name, ...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  const { output } = await OPERATIONS[name].schemas()
  return output.parse(JSON.parse(stdout)) as Awaited<ReturnType<(typeof OPERATIONS)[N]['run']>>
}

const ids = (tasks: readonly Pick<TaskView, 'id'>[]): string[] => tasks.map(({ id }) => id)

/** Creates cards with readable ids directly in the store. */
async function createCardsWithIds(home: TestHome, ...cards: VerbInput<'create'>['cards']): Promise<void> {
  await home.muster('init')
  const store = await home.store()
  unwrap(await store.decide({ verb: 'create', board: 'default', actor: person, input: { cards } }))
}

describe.each(SURFACE_ENGINES)('commands that read (%s)', (engine) => {
  test('`list` filters, sorts and pages its cards', async () => {
    const home = makeCommandHome(engine)
    await createCardsWithIds(
      home,
      { id: card('aaa'), title: 'Fix the roof', assignee: 'tester', priority: 2 },
      {
        id: card('bbb'),
        title: 'Paint',
        body: 'the ROOF too',
        assignee: 'coder',
        tenant: 'acme',
        workflow: 'w',
        step: 's',
      },
      { id: card('ccc'), title: 'Rest', assignee: null, session: 'x', parents: [card('aaa')] },
    )
    expect(ids(await readJson(home, 'list'))).toEqual([card('aaa'), card('bbb'), card('ccc')])
    expect(ids(await readJson(home, 'list', '--text', 'roof', '--sort', 'title'))).toEqual([card('aaa'), card('bbb')])
    expect(ids(await readJson(home, 'list', '--mine', '--status', 'ready'))).toEqual([card('aaa')])
    const workflow = ['--workflow-template-id', 'w', '--current-step-key', 's', '--tenant', 'acme']
    expect(ids(await readJson(home, 'list', ...workflow))).toEqual([card('bbb')])
    const child = ['--parent', card('aaa'), '--session', 'x', '--assignee', 'none']
    expect(ids(await readJson(home, 'list', ...child))).toEqual([card('ccc')])
    expect(ids(await readJson(home, 'list', '--limit', '1', '--after', card('aaa')))).toEqual([card('bbb')])
    const page = await home.muster('list', '--limit', '2')
    expect(page.stdout.split('\n')).toHaveLength(3)
    expect(page.stderr).toBe(`There are more cards. For the next 2: add --after ${card('bbb')}\n`)
  })

  test('`show`, `runs`, `context`, `why` and `stats` report the same facts about two cards', async () => {
    const home = makeCommandHome(engine)
    const first = await home.create('first', '--assignee', 'shell', '--body', 'echo the answer is 42')
    const second = await home.create('second', '--assignee', 'shell', '--parent', first.id, '--body', 'echo on')

    expect((await readJson(home, 'why', second.id)).reasons).toMatchObject([
      { gate: 'parents', params: { parents: [{ id: first.id, title: 'first', status: 'ready' }] }, until: null },
      { gate: 'dispatcher', code: 'no_dispatcher', remedies: [{ operation: 'up' }] },
    ])
    await home.dispatch('--wait')

    const [run] = await readJson(home, 'runs', first.id, '--state-type', 'outcome', '--state-name', 'completed')
    expect(run).toMatchObject({ attempt: 1, agent: 'shell', outcome: 'completed', exitCode: 0 })
    expect(run).not.toHaveProperty('tokenHash')
    expect(await readJson(home, 'runs', first.id, '--state-type', 'status', '--state-name', 'running')).toEqual([])
    expect(await readJson(home, 'show', first.id, '--state-type', 'outcome', '--state-name', 'crashed')).toMatchObject({
      runs: [],
      retryLimit: { value: 2, from: 'board' },
    })

    const { text, task } = await readJson(home, 'context', second.id)
    expect(task.id).toBe(second.id)
    expect(text).toContain("## Parents' results")
    expect(text).toContain('the answer is 42')
    expect((await home.muster('context', second.id)).stdout.replace(/Written at: .*/, '')).toBe(
      text.replace(/Written at: .*/, ''),
    )
    expect((await readJson(home, 'context', second.id, '--role', 'review')).text).toContain('# Review of card')

    expect((await readJson(home, 'why', first.id)).reasons).toMatchObject([{ gate: 'finished' }])
    const stats = await readJson(home, 'stats')
    expect(stats).toMatchObject({ byStatus: { done: 1, ready: 1 }, byAssignee: { shell: { done: 1, ready: 1 } } })
    expect(stats.oldestReadyAgeMs).toBeGreaterThan(0)

    const page = (await home.muster('show', first.id)).stdout.split('\n')
    expect(page.slice(0, 2)).toEqual([
      `✓ ${first.id}  first`,
      expect.stringMatching(/^ {2}done .* ago · shell · board/),
    ])
    expect(page.indexOf('Result')).toBeLessThan(page.indexOf('Description'))
    expect(page.indexOf('Description')).toBeLessThan(page.indexOf('Runs'))
  })

  test('`why` lists every reason to wait, and the run of a running card', async () => {
    const home = makeCommandHome(engine)
    const unknown = await home.create('unknown', '--assignee', 'ghost', '--hold')
    const waits = 'touch begun; while [ ! -e go ]; do sleep 0.2; done'
    const running = await home.create('running', '--assignee', 'shell', '--body', waits)
    const empty = await home.create('empty', '--assignee', 'shell')
    await home.dispatch()
    const { run } = await home.liveRun(running.id)
    const gates = async (id: string) => (await readJson(home, 'why', id)).reasons.map(({ gate }) => gate)
    expect(await gates(unknown.id)).toEqual(['hold', 'assignee', 'dispatcher'])
    expect(await gates(empty.id)).toEqual(['harness', 'dispatcher'])
    home.env['MUSTER_MACHINE_CAP'] = '1'
    expect(await gates(empty.id)).toEqual(['harness', 'cap', 'dispatcher'])
    const [reason] = (await readJson(home, 'why', running.id)).reasons
    expect(reason).toMatchObject({
      gate: 'running',
      params: { run: { id: run.id, attempt: 1, by: 'shell' } },
      remedies: [{ operation: 'stop', input: { task: running.id } }],
    })
    await home.muster('delete', empty.id)
    expect(await gates(empty.id)).toEqual(['deleted'])
  })

  test('an unknown card or a bad flag is reported in one sentence', async () => {
    const home = makeCommandHome(engine)
    await createCardsWithIds(home, { id: card('aaa'), title: 'A', assignee: null })
    for (const argv of [['runs'], ['show'], ['context'], ['why'], ['tail'], ['list', '--after']])
      expect([argv, await home.muster(...argv, 't_zzzzzzzzzz')]).toEqual([
        argv,
        { code: 3, stdout: '', stderr: 'muster: There is no card t_zzzzzzzzzz. To list the cards: muster list\n' },
      ])
    expect(await home.muster('runs', card('aaa'), '--state-type', 'status')).toMatchObject({ code: 2, stdout: '' })
    const bad = await home.muster('runs', card('aaa'), '--state-type', 'outcome', '--state-name', 'fine', '--json')
    expect(bad).toMatchObject({ code: 2, stdout: '' })
    expect(JSON.parse(bad.stderr)).toMatchObject({ error: { code: 'invalid_input' } })
    expect(await home.muster('stats', '--board', 'nowhere')).toMatchObject({ code: 3, stdout: '' })
    expect(await home.muster('tail', card('aaa'), '--since', 'yesterday')).toMatchObject({ code: 2, stdout: '' })
  })
})

/** The commands that only read. Commands that do not exist are skipped. */
const LOOKS: readonly (readonly string[])[] = [
  ['list'],
  ['list', '--text', 'a', '--sort', 'updated', '--json'],
  ['show', '<card>'],
  ['show', '<card>', '--json'],
  ['runs', '<card>'],
  ['context', '<card>'],
  ['why', '<card>'],
  ['why', '<child>'],
  ['stats'],
  ['tail', '<card>', '--no-follow'],
  ['dispatch', '--dry-run'],
  ['promote', '<child>', '--dry-run'],
  ['gc', '--dry-run'],
  ['boards', 'list'],
  ['boards', 'show'],
  ['attachments', '<card>'],
  ['backup', 'list'],
  ['doctor'],
  ['completion', 'bash'],
  ['help'],
]

test('commands that only read leave the store and all files unchanged', async () => {
  const home = makeCommandHome('sqlite')
  const first = await home.create('first', '--assignee', 'shell', '--body', 'echo one')
  const child = await home.create('child', '--assignee', 'ghost', '--parent', first.id)
  await home.dispatch('--wait')
  await home.create('ready', '--assignee', 'shell', '--body', 'echo two')
  await home.until('its supervisor is gone', () => filesIn(home.home).every((name) => !name.endsWith('/s')))
  const other = connect(join(home.home, 'muster.db'), 'rw')
  onTestFinished(() => other.close())
  const look = () => ({
    version: other.query(sql`pragma data_version`)[0]?.data_version,
    bytes: bytesOf(home.home),
    files: filesIn(home.home),
  })
  const commands = new Set(MANIFEST.flatMap(({ name, aliases }) => [name, ...aliases]))
  const lines = LOOKS.filter(
    ([command = '', second = '']) =>
      command === 'help' || commands.has(command) || commands.has(`${command} ${second}`),
  )
  const before = look()
  for (const line of lines) {
    const argv = line.map((word) => word.replace('<card>', first.id).replace('<child>', child.id))
    const { code, stderr } = await home.muster(...argv)
    expect([argv, code === 2, look()]).toEqual([argv, false, before])
    expect([argv, stderr.includes('went wrong in Muster')]).toEqual([argv, false])
  }
  expect(lines.length).toBeGreaterThan(12)
  await home.muster('hold', child.id)
  expect(look().version).not.toBe(before.version)
})

/**
 * Returns the bytes of the file. Another process reads the file, because reading it here would drop the locks of this
 * connection.
 */
const bytesOf = (home: string): string =>
  execFileSync(
    'cksum',
    ['muster.db', 'muster.db-wal'].filter((name) => existsSync(join(home, name))),
    {
      cwd: home,
      encoding: 'utf8',
    },
  )

/** Returns the names of the files except the `-shm` file, which readers share as memory and create on demand. */
const filesIn = (home: string): string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('-shm'))
    .toSorted()
