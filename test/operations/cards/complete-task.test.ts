import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../../src/core/command.ts'
import { loadOptions } from '../../../src/config/load.ts'
import { completeTask } from '../../../src/operations/cards/complete-task.ts'
import type { Store } from '../../../src/storage/store.ts'
import { makeCardFolder } from '../../../src/workspaces/workspaces-root.ts'
import { clockwork, card, identity, person, runOf } from '../../helpers/sample.ts'
import { openTestStore, testFolder } from '../../helpers/stores.ts'

const address = { board: 'default', actor: person } as const
const id = card('a')
const fence = { runId: runOf('a'), tokenHash: 'claim' }

async function liveCard(): Promise<Store> {
  const { store } = await openTestStore('sqlite')
  unwrap(await store.decide({ ...address, verb: 'create_board', input: { slug: 'default' } }))
  const input = { cards: [{ id, title: 'A card', assignee: 'shell' }] }
  unwrap(await store.decide({ ...address, verb: 'create', input }))
  const own = identity()
  const lead = { machine: own.machine, tokenHash: 'lead', identity: own, leaseMs: 60_000 }
  unwrap(await store.decide({ ...address, actor: clockwork, verb: 'lead_dispatch', input: lead }))
  const claim = { machine: own.machine, dispatcher: own, dispatcherTokenHash: 'lead', agent: 'shell' }
  unwrap(await store.decide({ ...address, actor: clockwork, verb: 'claim', input: { task: id, ...fence, ...claim } }))
  return store
}

const settle = (store: Store) =>
  store.decide({
    ...address,
    actor: clockwork,
    verb: 'settle',
    input: { task: id, runId: fence.runId, by: { fence }, ending: { how: 'stopped' } },
  })

async function completing(store: Store) {
  const options = await loadOptions({ MUSTER_HOME: testFolder() })
  const input = { task: id, summary: null, result: null, metadata: null, force: null }
  return completeTask.run({ store, board: 'default', actor: person, options }, input)
}

test('completing a running card ends the run and marks the card as done', async () => {
  const store = await liveCard()
  const asked = completing(store)
  await expect.poll(async () => (await store.run(fence.runId))?.intent?.verb).toBe('complete')
  unwrap(await settle(store))
  expect(await asked).toMatchObject({ status: 'done' })
})

test('a pending `complete` fails with the reason of a later `block`', async () => {
  const store = await liveCard()
  const asked = completing(store)
  await expect.poll(async () => (await store.run(fence.runId))?.intent?.verb).toBe('complete')
  const block = { task: id, runId: runOf('b'), reason: 'ask the lawyers', kind: 'needs_input' as const }
  unwrap(await store.decide({ ...address, verb: 'block', input: block }))
  unwrap(await settle(store))
  await expect(asked).rejects.toMatchObject({
    code: 'wrong_status',
    message: `Card ${id} was not completed: its run ended as blocked, and the card is blocked (ask the lawyers).`,
  })
})

async function readyCard() {
  const { store } = await openTestStore('sqlite')
  unwrap(await store.decide({ ...address, verb: 'create_board', input: { slug: 'default' } }))
  unwrap(await store.decide({ ...address, verb: 'create', input: { cards: [{ id, title: 'A card' }] } }))
  const options = await loadOptions({ MUSTER_HOME: testFolder() })
  await makeCardFolder({ home: options.home, board: 'default', task: id })
  const workspace = join(options.home, 'boards', 'default', 'workspaces', id)
  const complete = (metadata: Record<string, string | string[]>) =>
    completeTask.run(
      { store, board: 'default', actor: person, options },
      { task: id, summary: 'done', result: null, metadata, force: null },
    )
  return { store, workspace, complete }
}

test('files named in the metadata are attached before the workspace is removed (scenario 60)', async () => {
  const { store, workspace, complete } = await readyCard()
  mkdirSync(join(workspace, 'out'))
  writeFileSync(join(workspace, 'out', 'report.txt'), 'all well')
  const artifacts = ['https://example.org/build', 'out/report.txt']
  expect(await complete({ artifacts })).toMatchObject({
    status: 'done',
    metadata: { artifacts: ['https://example.org/build', 'report.txt'] },
  })
  rmSync(workspace, { recursive: true })
  const [file] = await store.attachments('default', id)
  const kept = join(workspace, '..', '..', 'attachments', file?.storedPath ?? '')
  expect(readFileSync(kept, 'utf8')).toBe('all well')
})

test('a missing file in the metadata is an error, and the card is not completed', async () => {
  const { store, workspace, complete } = await readyCard()
  writeFileSync(join(workspace, 'there'), 'x')
  await expect(complete({ artifacts: ['there', 'missing.txt'] })).rejects.toThrow(
    `${join(workspace, 'missing.txt')} cannot be attached: it does not exist.`,
  )
  expect(await store.task('default', id)).toMatchObject({ status: 'ready' })
  expect(await store.attachments('default', id)).toEqual([])
  expect(await complete({ artifacts: 'there' })).toMatchObject({ status: 'done', metadata: { artifacts: ['there'] } })
})
