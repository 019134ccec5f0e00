// Tests the output flags that every command accepts, and lists in a pipe.
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { errorText, noticeText } from '../../src/cli/render/message.ts'
import { shapeJson } from '../../src/cli/output/shape-output.ts'
import { wantsColor } from '../../src/cli/output/terminal.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { makeCommandLine } from '../helpers/command-line.ts'

const line = makeCommandLine(afterAll)
let card: TaskView

beforeAll(async () => {
  card = await line.create('Fix the\tlogin', '--assignee', 'shell', '--body', 'true', '--priority', '2')
})

describe('--json with fields', () => {
  test('`--json` with field names prints only these fields', async () => {
    expect((await line.muster('list', '--json=id,status')).json()).toEqual([{ id: card.id, status: 'ready' }])
    expect((await line.muster('show', card.id, '--json=title')).json()).toEqual({ title: 'Fix the\tlogin' })
    expect((await line.muster('hold', card.id, '--json=id,task.held')).json()).toEqual([
      { id: card.id, 'task.held': true },
    ])
    await line.muster('release', card.id)
  })

  test('`--json` treats the names of inherited properties as unknown fields', async () => {
    for (const name of ['__proto__', 'constructor'])
      expect(await line.muster('list', `--json=${name}`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`unknown field ${name}`),
      })
  })

  test('an unknown field name is refused with the most similar field name', async () => {
    expect(await line.muster('list', '--json=stauts')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('unknown field stauts. Did you mean status?'),
    })
  })

  test('an empty field is printed as null', async () => {
    expect((await line.muster('list', '--json=tenant')).json()).toEqual([{ tenant: null }])
  })
})

test('`--iso` prints times as text and leaves other numbers unchanged', async () => {
  const value = { createdAt: Date.UTC(2026, 10, 18), maxRuntimeMs: 5_000, until: null, startedAt: 0 }
  expect(shapeJson([value], { fields: null, iso: true })).toEqual([{ ...value, createdAt: '2026-11-18T00:00:00.000Z' }])
  const [listed] = (await line.muster('list', '--iso')).json() as [{ createdAt: string }]
  expect(listed.createdAt).toBe(new Date(card.createdAt).toISOString())
})

describe('--quiet', () => {
  test('`-q` prints only ids, one per line', async () => {
    expect(await line.muster('list', '-q')).toMatchObject({ stdout: `${card.id}\n`, stderr: '' })
    expect(await line.muster('boards', '-q')).toMatchObject({ stdout: 'default\n' })
    expect((await line.muster('create', 'Second', '-q')).stdout).toMatch(/^t_\w{10}\n$/)
  })

  test('a command on several cards prints only the changed cards', async () => {
    const changed = await line.muster('hold', card.id, 't_zzzzzzzz', '-q')
    expect(changed).toMatchObject({ code: 1, stdout: `${card.id}\n` })
    expect(changed.stderr).toContain('t_zzzzzzzz')
    await line.muster('release', card.id)
  })
})

describe('lists in a pipe', () => {
  test('a list has one row per line, with cells separated by tabs', async () => {
    const { stdout } = await line.muster('list', '--assignee', 'shell')
    expect(stdout).toBe(`${card.id}\tready\tshell\t2\tFix the login\n`)
  })

  test('an empty list prints only a notice on standard error', async () => {
    expect(await line.muster('list', '--tenant', 'acme')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No matching cards.\n',
    })
  })
})

describe('colours', () => {
  test('NO_COLOR turns colours off, and FORCE_COLOR turns them on', () => {
    expect(wantsColor({}, { isTerminal: true })).toBe(true)
    expect(wantsColor({}, { isTerminal: false })).toBe(false)
    expect(wantsColor({ FORCE_COLOR: '1' }, { isTerminal: false })).toBe(true)
    expect(wantsColor({ FORCE_COLOR: '0' }, { isTerminal: true })).toBe(false)
    expect(wantsColor({ FORCE_COLOR: '1', NO_COLOR: '1' }, { isTerminal: true })).toBe(false)
  })

  test('with --color always, a pipe gets the same table as a terminal', async () => {
    const { stdout } = await line.muster('list', '--color', 'always')
    expect(stdout).toContain('TITLE')
    expect(stdout).toContain('\u001b[')
  })

  test('with --color never, a terminal gets no colours', async () => {
    const terminal = { columns: 80, rows: 24, colors: true }
    expect((await line.run(['list'], { world: { terminal } })).stdout).toContain('\u001b[')
    expect((await line.run(['list', '--color=never'], { world: { terminal } })).stdout).not.toContain('\u001b[')
  })
})

describe('messages on a terminal', () => {
  const terminal = (columns: number, colors = false) => ({ columns, rows: 24, colors })

  test('an error is wrapped at words, and its command stays in one piece', () => {
    const message =
      'Card t_4k2m9x4vda is not blocked, so it needs no answer. To see its state: muster show t_4k2m9x4vda'
    expect(errorText({ code: 'wrong_status', message }, terminal(41)).split('\n')).toEqual([
      'muster: Card t_4k2m9x4vda is not blocked,',
      'so it needs no answer. To see its state:',
      '  muster show t_4k2m9x4vda',
    ])
    expect(errorText({ code: 'wrong_status', message }, null)).toBe(`muster: ${message}`)
  })

  test('labels and commands have colours', () => {
    expect(errorText({ code: 'internal', message: 'No.' }, terminal(80, true))).toBe(
      '\u001b[31m\u001b[1mmuster:\u001b[22m\u001b[39m No.',
    )
    expect(noticeText('To start it: muster up', terminal(80, true))).toBe('To start it: \u001b[36mmuster up\u001b[39m')
    expect(noticeText('Warning: slow', terminal(80, true))).toBe('\u001b[33mWarning:\u001b[39m slow')
  })
})

test('`--iso` keeps numbers in metadata that are not times', async () => {
  const { id } = await line.create('measured')
  const metadata = { at: 1e300, since: 9e15 }
  await line.muster('complete', id, '--summary', 'done', '--metadata', JSON.stringify(metadata))
  expect((await line.muster('show', id, '--iso')).json()).toMatchObject({ metadata })
})
