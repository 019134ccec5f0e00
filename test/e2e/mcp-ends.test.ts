// Tests tool calls whose client, shim or supervisor ends before the call has ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { McpEntry } from '../../src/harnesses/mcp-entry.ts'
import { isLiving, makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { connectTools, entryOf, letGo, writeToolAgent } from './tools.ts'

const said = (words: string): unknown => expect.stringContaining(words)

const call = (id: number, name: string, given: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } })}\n`

/** Starts the shim as a plain process, so that the test can close its pipes. */
function startShim({ command, args, env }: McpEntry) {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  child.stdin.on('error', () => {})
  return { child, complaint: () => complaint, exited: once(child, 'exit') }
}

/** Starts a card whose agent waits, and returns the MCP entry of its run. */
async function running(home: TestHome, ...flags: string[]): Promise<{ id: TaskId; entry: McpEntry }> {
  writeToolAgent(home, 'maker')
  const { id } = await home.create('made', '--assignee', 'maker', ...flags)
  await home.dispatch()
  return { id, entry: await entryOf(home, id) }
}

const verdictOf = async (home: TestHome, id: TaskId) =>
  (await (await home.store()).runs('default', id)).at(-1)?.verdict ?? null

describe('a client that goes away', () => {
  test('a verdict is recorded even if its client disconnects during the call', async () => {
    const home = makeTestHome('sqlite')
    const ok = join(home.home, 'ok')
    const { id, entry } = await running(home, '--check', `while ! test -f "${ok}"; do sleep 0.2; done`)
    const { child, complaint, exited } = startShim(entry)
    child.stdin.write(call(1, 'kanban_complete', { summary: 'said and gone' }))
    await home.until('it is being checked', () => verdictOf(home, id))
    child.stdin.end()
    child.stdout.destroy()
    writeFileSync(ok, '')
    expect(await exited).toEqual([0, null])
    expect(complaint()).toBe('')
    await letGo(home, id)
    await home.until('it is done', async () => (await home.show(id)).status === 'done')
    expect(await home.show(id)).toMatchObject({ result: 'said and gone' })
  })

  test('a call whose client is killed during the request creates the whole card or no card', async () => {
    const home = makeTestHome('sqlite')
    const { entry } = await running(home)
    const body = 'x'.repeat(1024 * 1024)
    const half = startShim(entry)
    half.child.stdin.end(call(1, 'kanban_create', { title: 'half', body }).slice(0, 500_000))
    expect(await half.exited).toEqual([0, null])
    for (const [at, waitMs] of [0, 2, 5, 10, 20, 40, 80].entries()) {
      const { child, exited } = startShim(entry)
      const started = once(child.stdout, 'data')
      child.stdin.write('{"jsonrpc":"2.0","id":0,"method":"ping"}\n')
      await started
      child.stdin.write(call(1, 'kanban_create', { title: `cut ${at}`, body, idempotencyKey: `cut ${at}` }))
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      child.kill('SIGKILL')
      await exited
    }
    // The supervisor handles calls in order, so all earlier calls are over when this call has ended.
    const tools = await connectTools(entry)
    await tools.call('kanban_create', { title: 'last', initialStatus: 'triage' })
    await tools.close()
    const store = await home.store()
    const listed = await store.tasks('default')
    const made = (await Promise.all(listed.map(({ id }) => store.task('default', id)))).filter((task) => task !== null)
    expect(made.filter(({ title }) => title === 'half')).toEqual([])
    expect(made.filter(({ title }) => title.startsWith('cut')).every((task) => task.body === body)).toBe(true)
    expect(new Set(made.map(({ title }) => title)).size).toBe(made.length)
  })

  test('a client that closes its input still gets every response', async () => {
    const home = makeTestHome('sqlite')
    const { id, entry } = await running(home)
    const { child, exited } = startShim(entry)
    let heard = ''
    child.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } }
    child.stdin.end(
      `${JSON.stringify(initialize)}\n` +
        call(1, 'kanban_show', {}) +
        call(2, 'kanban_comment', { body: 'by the way' }),
    )
    expect(await exited).toEqual([0, null])
    const ids = heard
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id)
    expect(new Set(ids)).toEqual(new Set([0, 1, 2]))
    expect(heard).toContain('"protocolVersion":"2025-06-18"')
    expect((await home.show(id)).comments).toMatchObject([{ body: 'by the way' }])
  })
})

test('if the supervisor is killed, the open call and all later calls fail', async () => {
  const home = makeTestHome('sqlite')
  const { id, entry } = await running(home, '--check', 'sleep 600')
  const tools = await connectTools(entry)
  const { run, supervisor } = await home.liveRun(id)
  const asked = tools.call('kanban_complete', { summary: 'x' })
  await home.until('it is being checked', () => verdictOf(home, id))
  process.kill(supervisor, 'SIGKILL')
  expect(await asked).toEqual({ error: said('check its card before you repeat the request') })
  await home.until('it is gone', () => !isLiving(run))
  expect(await tools.call('kanban_show')).toEqual({ error: said('run_over') })
  expect(await tools.call('kanban_heartbeat')).toEqual({ error: said('the run is over') })
  await tools.close()
})

test('the shim exits with an error outside a run', async () => {
  const home = makeTestHome('sqlite')
  const { entry } = await running(home)
  const { MUSTER_NONCE: _, ...without } = entry.env
  for (const [args, env] of [
    [entry.args, without],
    [entry.args.slice(0, -1), entry.env],
    [[...entry.args.slice(0, -1), 'king'], entry.env],
  ] as const) {
    const { complaint, exited } = startShim({ ...entry, args, env })
    expect(await exited).toEqual([4, null])
    expect(complaint()).toContain('these tools belong to a run')
  }
  const wrong = await connectTools({ ...entry, env: { ...entry.env, MUSTER_NONCE: 'guessed' } })
  expect(await wrong.call('kanban_show')).toEqual({ error: said('this is not its nonce') })
  await wrong.close()
})
