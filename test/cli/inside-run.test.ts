// Tests the command line inside a run, in this process. It sends the commands of a worker to the supervisor and refuses
// all other commands.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { BoardError } from '../../src/core/errors.ts'
import { serveRun } from '../../src/runs/socket/server.ts'
import type { Service } from '../../src/runs/socket/server.ts'
import { sampleTask } from '../helpers/sample.ts'

const task = { ...sampleTask(), parents: [], children: [] }
const NONCE = 'only-this-run'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-inside-'))
  const made = folder
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
})

/** Starts a supervisor with scripted answers, which records the requests. */
async function supervise(answer: Service['answer'] = async () => task) {
  const asked: [string, unknown][] = []
  const server = await serveRun({
    path: join(folder, 's'),
    nonce: NONCE,
    answer: (op, input) => {
      asked.push([op, input])
      return answer(op, input)
    },
  })
  onTestFinished(() => server.close())
  return asked
}

async function muster(argv: readonly string[], env: Record<string, string> = {}) {
  let stdout = ''
  let stderr = ''
  const code = await main({
    argv,
    env: {
      MUSTER_HOME: join(folder, 'home'),
      MUSTER_RUN: 'r_0123456789',
      MUSTER_SOCKET: join(folder, 's'),
      MUSTER_NONCE: NONCE,
      MUSTER_BOARD: 'main',
      MUSTER_AGENT: 'shell',
      ...env,
    },
    version: '1.2.3',
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    terminal: null,
    now: Date.now,
    readStdin: async () => new Uint8Array(),
    dispatcher: () => Promise.reject(new Error('nothing is dispatched here')),
    onInterrupt: () => () => {},
  })
  return { code, stdout, stderr, errorCode: () => (JSON.parse(stderr) as { error: BoardError }).error.code }
}

test('a command inside a run is sent to the supervisor as an operation', async () => {
  const asked = await supervise(async (op) =>
    op === 'create' ? { task, entries: [], created: true, differs: [] } : task,
  )
  const shown = await muster(['create', 'next', '--priority', '3', '--json'])
  expect([shown.code, shown.stderr]).toEqual([0, ''])
  expect(JSON.parse(shown.stdout)).toMatchObject({ id: task.id })
  expect(asked).toMatchObject([['create', { title: 'next', priority: 3 }]])
  expect(readdirSync(folder)).toEqual(['s'])
})

test('a verdict inside a run is reported as recorded, not as done', async () => {
  await supervise(async () => ({ ...task, recorded: 'Recorded complete: settled when this run ends.' }))
  for (const command of ['complete', 'request-review'])
    expect(await muster([command, task.id])).toMatchObject({
      code: 0,
      stdout: 'Recorded complete: settled when this run ends.\n',
    })
})

test('an error from the supervisor gives the same exit code as outside a run', async () => {
  await supervise(async (_, input) => {
    const { task: id } = input as { task: string }
    if (id === task.id) return task
    throw new BoardError('task_not_found', `There is no card ${id}.`, { details: { id } })
  })
  expect(await muster(['show', 't_zzz'])).toMatchObject({
    code: 3,
    stderr: 'muster: There is no card t_zzz. To list the cards: muster list\n',
  })
  const both = await muster(['complete', task.id, 't_zzz', '--json'])
  expect(both.code).toBe(1)
  expect(JSON.parse(both.stdout)).toMatchObject([{ ok: true }, { ok: false, error: { code: 'task_not_found' } }])
})

test.each([
  [['init']],
  [['up']],
  [['dispatch']],
  [['doctor']],
  [['boards', 'switch', 'other']],
  [['watch']],
  [['tail', 't_abc']],
])('%j is refused inside a run', async (argv) => {
  const asked = await supervise()
  const { code, stdout, errorCode } = await muster([...argv, '--json'])
  expect([code, stdout, errorCode()]).toEqual([1, '', 'not_allowed'])
  expect(asked).toEqual([])
  expect(readdirSync(folder)).toEqual(['s'])
})

test.each([
  ['no nonce', { MUSTER_NONCE: '' }],
  ['no socket', { MUSTER_SOCKET: '' }],
  ['a missing socket', { MUSTER_SOCKET: '/nowhere/s' }],
  ['another nonce', { MUSTER_NONCE: 'guessed' }],
])('with %s, commands report that the run is over', async (_, env) => {
  const asked = await supervise()
  for (const argv of [['list'], ['create', 'x'], ['complete', task.id]]) {
    const { code, stdout, stderr } = await muster([...argv, '--json'], env)
    expect([code, argv[0] === 'complete' || stdout === '']).toEqual([4, true])
    expect(stdout + stderr).toContain('"run_over"')
  }
  expect(asked).toEqual([])
  expect(readdirSync(folder)).toEqual(['s'])
})

test('help needs no supervisor', async () => {
  expect(await muster(['show', '--help'], { MUSTER_NONCE: '' })).toMatchObject({ code: 0, stderr: '' })
})
