import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inHome } from '../../../src/config/home.ts'
import { BoardError } from '../../../src/core/errors.ts'
import type { RunId, TaskId } from '../../../src/core/ids.ts'
import { recordLateWrites } from '../../../src/dispatcher/recovery/record-late-writes.ts'
import type { Store } from '../../../src/storage/store.ts'
import { saveLateWrite } from '../../../src/runs/files/late-writes.ts'
import { unwrap } from '../../../src/core/command.ts'
import { card, clockwork, identity, runOf } from '../../helpers/sample.ts'
import { openDispatch, storeWith } from '../dispatch-context.ts'
import type { TestDispatch } from '../dispatch-context.ts'

const save = ({ context }: TestDispatch, run: RunId, text: string, task: TaskId | null = null) =>
  saveLateWrite(
    { run, task, socket: '/gone', nonce: 'n', lateFolder: inHome.late(context.options.home) },
    'comment',
    text,
  )

const filesOf = ({ context }: TestDispatch): string[] => {
  const folder = inHome.late(context.options.home)
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Returns all recorded late results, with their cards. */
async function recordedIn({ store }: TestDispatch) {
  const { event = [] } = await store.exportAll()
  return event
    .filter(({ kind }) => kind === 'late_result')
    .map(({ board, taskId, runId, data }) => {
      const { content } = data as { content: unknown }
      return { board, taskId, runId, content }
    })
}

async function claim({ store, context, create }: TestDispatch, name: string): Promise<{ task: TaskId; run: RunId }> {
  const [task] = (await create(1)) as [TaskId]
  const run = runOf(name)
  const { machine, tokenHash } = context.leadership
  const input = {
    task,
    runId: run,
    tokenHash: name,
    agent: 'shell',
    machine,
    dispatcher: identity(1),
    dispatcherTokenHash: tokenHash,
  }
  unwrap(await store.decide({ verb: 'claim', board: 'default', actor: clockwork, input }))
  return { task, run }
}

const end = async ({ store }: TestDispatch, { task, run, name }: { task: TaskId; run: RunId; name: string }) =>
  unwrap(
    await store.decide({
      verb: 'settle',
      board: 'default',
      actor: clockwork,
      input: { task, runId: run, by: { fence: { runId: run, tokenHash: name } }, ending: { how: 'interrupted' } },
    }),
  )

test('a late write of an unknown run is recorded on the card that it names', async () => {
  const dispatch = await openDispatch()
  const [known] = (await dispatch.create(1)) as [TaskId]
  await save(dispatch, runOf('lost'), 'on a known card', known)
  await save(dispatch, runOf('lost'), 'on an unknown card', card('gone'))
  await save(dispatch, runOf('lost'), 'without a card')
  await recordLateWrites(dispatch.context)
  const about = { board: 'default', runId: runOf('lost') }
  expect(await recordedIn(dispatch)).toEqual([
    { ...about, taskId: known, content: 'on a known card' },
    { ...about, taskId: null, content: 'on an unknown card' },
    { ...about, taskId: null, content: 'without a card' },
  ])
  expect(filesOf(dispatch)).toEqual([])
})

test('late writes of an open run wait, and do not delay other runs', async () => {
  const dispatch = await openDispatch()
  const open = await claim(dispatch, 'open')
  const ended = await claim(dispatch, 'ended')
  await end(dispatch, { ...ended, name: 'ended' })
  for (let at = 0; at < 120; at += 1) await save(dispatch, open.run, `open ${at}`)
  await save(dispatch, ended.run, 'ended')
  await recordLateWrites(dispatch.context)
  expect(await recordedIn(dispatch)).toMatchObject([{ taskId: ended.task, content: 'ended' }])
  expect(filesOf(dispatch)).toHaveLength(120)

  await end(dispatch, { ...open, name: 'open' })
  await recordLateWrites(dispatch.context)
  await recordLateWrites(dispatch.context)
  expect((await recordedIn(dispatch)).slice(1).map(({ content }) => content)).toEqual(
    Array.from({ length: 120 }, (_, at) => `open ${at}`),
  )
  expect(filesOf(dispatch)).toEqual([])
})

test('a late write that the store refuses is kept', async () => {
  const dispatch = await openDispatch()
  await save(dispatch, runOf('lost'), 'first')
  const decide = () => Promise.resolve({ ok: false, error: new BoardError('run_live', 'The run is live.') })
  const store = storeWith(dispatch.store, { decide: decide as unknown as Store['decide'] })
  await recordLateWrites({ ...dispatch.context, store })
  expect(filesOf(dispatch)).toHaveLength(1)
  await recordLateWrites(dispatch.context)
  expect(await recordedIn(dispatch)).toMatchObject([{ content: 'first' }])
})

test('a file that is not a late write is deleted', async () => {
  const dispatch = await openDispatch()
  const folder = inHome.late(dispatch.context.options.home)
  mkdirSync(folder)
  writeFileSync(join(folder, '0000000001-a.json'), '{"run":"../..","verb":"comment"}')
  writeFileSync(join(folder, '0000000002-b.json'), 'not json')
  await recordLateWrites(dispatch.context)
  expect([await recordedIn(dispatch), filesOf(dispatch)]).toEqual([[], []])
})
