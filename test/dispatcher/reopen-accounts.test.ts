import { appendFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { reopenAccounts } from '../../src/dispatcher/reopen-accounts.ts'
import { newRunId } from '../../src/util/mint.ts'
import { makeRunDirectory } from '../../src/runs/files/run-directory.ts'
import { sealed } from '../../src/runs/files/sealed-line.ts'
import { writeTicket } from '../../src/supervisor/start/ticket.ts'
import { clockwork, identity } from '../helpers/sample.ts'
import { openDispatch } from './dispatch-context.ts'

/** Makes a probe run whose log has these lines. */
async function probing(harness: string, lines: readonly string[]) {
  const opened = await openDispatch()
  const { context, store, create, pass } = opened
  const { leadership, options } = context
  const address = { board: 'default', actor: clockwork } as const
  const [task] = (await create(1, { assignee: 'coder' })) as [TaskId]
  unwrap(await store.decide({ ...address, verb: 'pause_account', input: { account: 'acme', cause: 'quota' } }))
  await pass(5 * 60_000)
  const fence = { runId: newRunId(), tokenHash: 'claim' }
  const by = { dispatcher: leadership.identity, dispatcherTokenHash: leadership.tokenHash, machine: leadership.machine }
  const claim = { task, ...fence, agent: 'coder', account: 'acme', ...by }
  unwrap(await store.decide({ ...address, verb: 'claim', input: claim }))
  const directory = await makeRunDirectory(options.home, fence.runId)
  const agent = { agent: 'coder', harness, completesOnExit: false, passEnvironment: [] }
  const ticket = { home: options.home, store: options.store, board: 'default', task, run: fence.runId, token: 'none' }
  const { terminateGraceMs, killWaitMs } = options
  await writeTicket(directory, { version: 1, ...ticket, ...agent, terminateGraceMs, killWaitMs })
  writeFileSync(directory.log, lines.join('\n'))
  const register = { task, fence, identity: identity(42, 'here'), logPath: directory.log }
  unwrap(await store.decide({ ...address, verb: 'register', input: register }))
  /** Writes the pid file of the wrapper. The modification time of this file is `afterMs` after the claim. */
  const begin = (afterMs: number): void => {
    writeFileSync(directory.pid, sealed('muster-pid', fence, '42 1'))
    const at = (statSync(directory.ticket).mtimeMs + afterMs) / 1000
    utimesSync(directory.pid, at, at)
  }
  return { ...opened, directory, runId: fence.runId, begin }
}

test.each([
  ['without a parser', 'shell', ['429 Too Many Requests']],
  ['without output', 'claude', []],
])('a probe %s resumes its account after a minute of work', async (_, harness, lines) => {
  const { context, store, pass, runId, begin } = await probing(harness, lines)
  begin(0)
  await pass(59_000)
  await reopenAccounts(context, await store.boards())
  expect(await store.account('acme')).toMatchObject({ pauseCause: 'quota', probeRunId: runId })
  await pass(1_000)
  await reopenAccounts(context, await store.boards())
  expect(await store.account('acme')).toMatchObject({ pauseCause: null, probeRunId: null })
})

test('the probe time begins with the agent, not with the setup of its workspace', async () => {
  const { context, store, pass, runId, begin } = await probing('claude', [])
  const paused = { pauseCause: 'quota', probeRunId: runId }
  await pass(600_000)
  await reopenAccounts(context, await store.boards())
  expect(await store.account('acme')).toMatchObject(paused)
  begin(600_000)
  await pass(59_000)
  await reopenAccounts(context, await store.boards())
  expect(await store.account('acme')).toMatchObject(paused)
  await pass(1_000)
  await reopenAccounts(context, await store.boards())
  expect(await store.account('acme')).toMatchObject({ pauseCause: null, probeRunId: null })
})

test('a probe that waits because of the limit does not resume its account', async () => {
  const retry = { type: 'system', subtype: 'api_retry', error_status: 429, retry_delay_ms: 90_000, error: 'rate_limit' }
  const { context, store, pass, runId, directory, begin } = await probing('claude', [JSON.stringify(retry), ''])
  begin(0)
  await pass(110_000)
  await reopenAccounts(context, await store.boards())
  expect(await store.account('acme')).toMatchObject({ pauseCause: 'quota', probeRunId: runId })
  const answer = { type: 'assistant', message: { content: [{ type: 'text', text: 'Here I am.' }] } }
  appendFileSync(directory.log, `${JSON.stringify(answer)}\n`)
  await reopenAccounts(context, await store.boards())
  expect(await store.account('acme')).toMatchObject({ pauseCause: null, probeRunId: null })
})
