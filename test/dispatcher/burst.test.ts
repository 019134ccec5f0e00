import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { pauseBursts } from '../../src/dispatcher/burst.ts'
import { newRunId } from '../../src/util/mint.ts'
import { clockwork, person } from '../helpers/sample.ts'
import { openDispatch } from './dispatch-context.ts'
import type { TestDispatch } from './dispatch-context.ts'

/** Makes a run of the card that ends with this crash. */
async function crash(
  { store, context: { leadership }, pass }: TestDispatch,
  task: TaskId,
  ending: object,
): Promise<void> {
  const address = { board: 'default', actor: clockwork } as const
  const { cooldownUntil, assignee } = (await store.task('default', task)) ?? {}
  const agent = assignee ?? ''
  await pass(Math.max(1, (cooldownUntil ?? 0) - (await store.now())))
  const fence = { runId: newRunId(), tokenHash: 'claim' }
  const by = { dispatcher: leadership.identity, dispatcherTokenHash: leadership.tokenHash, machine: leadership.machine }
  unwrap(await store.decide({ ...address, verb: 'claim', input: { task, ...fence, agent, ...by } }))
  const input = { task, runId: fence.runId, by: { fence }, ending: { how: 'exited' as const, ...ending } }
  unwrap(await store.decide({ ...address, verb: 'settle', input }))
}

const pauseReason = async ({ context, store }: TestDispatch, agent = 'coder'): Promise<unknown> => {
  await pauseBursts(context, await store.boards())
  return (await store.slots()).find(({ kind, name }) => kind === 'agent' && name === agent)?.pauseReason ?? null
}

/** Makes a data folder with the agent `coder`, which runs its own program. The agent gets all cards. */
async function openCoder(): Promise<TestDispatch> {
  const board = await openDispatch()
  const folder = join(board.context.options.home, 'agents')
  mkdirSync(folder)
  writeFileSync(join(folder, 'coder.md'), '---\nharness: command\nargs: [/bin/false]\n---\n')
  return { ...board, create: (count) => board.create(count, { assignee: 'coder' }) }
}

test('three similar crashes in a minute pause the agent without counted failures (scenario 37)', async () => {
  const board = await openCoder()
  const cards = await board.create(3)
  for (const card of cards.slice(0, 2)) await crash(board, card, { exitCode: 3 })
  expect(await pauseReason(board)).toBeNull()
  await crash(board, cards[2] as TaskId, { exitCode: 3 })
  expect(await pauseReason(board)).toBe('3 cards crashed in the same way within 60 s (exit 3)')
  for (const id of cards) expect((await board.store.task('default', id))?.consecutiveFailures).toBe(0)
})

test('crashes with different exit codes, signals or times are not a burst', async () => {
  const board = await openCoder()
  const [a, b, c, d] = (await board.create(4)) as [TaskId, TaskId, TaskId, TaskId]
  await crash(board, a, { exitCode: 1 })
  await crash(board, b, { exitCode: 2 })
  await crash(board, c, { exitCode: null, signal: 'SIGKILL' })
  expect(await pauseReason(board)).toBeNull()
  await board.pass(60_000)
  await crash(board, d, { exitCode: 1 })
  expect(await pauseReason(board)).toBeNull()
})

test('repeated crashes of one card do not pause its agent (scenario 30)', async () => {
  const board = await openCoder()
  const settings = { failureLimit: 5, retryBaseMs: 1 }
  unwrap(await board.store.decide({ verb: 'set_board', board: 'default', actor: person, input: { settings } }))
  const [card] = (await board.create(1)) as [TaskId]
  for (let nth = 1; nth <= 5; nth += 1) {
    expect(await board.store.task('default', card)).toMatchObject({ status: 'ready', consecutiveFailures: nth - 1 })
    await crash(board, card, { exitCode: 1 })
    expect(await pauseReason(board)).toBeNull()
  }
  expect(await board.store.task('default', card)).toMatchObject({ status: 'blocked', consecutiveFailures: 5 })
  const events = await board.store.taskEvents('default', card)
  expect(events.filter(({ kind }) => kind === 'gave_up')).toHaveLength(1)
})

test('a resumed agent is not paused again for earlier crashes', async () => {
  const board = await openCoder()
  for (const card of await board.create(3)) await crash(board, card, { exitCode: 3 })
  expect(await pauseReason(board)).not.toBeNull()
  await board.pass(1)
  const input = { kind: 'agent', name: 'coder' } as const
  unwrap(await board.store.decide({ verb: 'resume', board: 'default', actor: person, input }))
  expect(await pauseReason(board)).toBeNull()
})

test('a board may set a higher burst limit', async () => {
  const board = await openCoder()
  const settings = { burstLimit: 4 }
  unwrap(await board.store.decide({ verb: 'set_board', board: 'default', actor: person, input: { settings } }))
  for (const card of await board.create(3)) await crash(board, card, { exitCode: 3 })
  expect(await pauseReason(board)).toBeNull()
})

test('equal signals of several cards pause the shell agent, but equal exit codes do not', async () => {
  const board = await openDispatch()
  const cards = await board.create(6)
  for (const card of cards.slice(0, 3)) await crash(board, card, { exitCode: 3 })
  expect(await pauseReason(board, 'shell')).toBeNull()
  for (const id of cards.slice(0, 3))
    expect(await board.store.task('default', id)).toMatchObject({ consecutiveFailures: 1 })
  for (const card of cards.slice(3)) await crash(board, card, { exitCode: null, signal: 'SIGKILL' })
  expect(await pauseReason(board, 'shell')).toBe('3 cards crashed in the same way within 60 s (killed by SIGKILL)')
})
