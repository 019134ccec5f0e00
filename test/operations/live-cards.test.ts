// Tests that the command of a person on a running card is stored, applied when the run settles, and reported with its
// result.
import { expect, test } from 'vitest'
import { loadOptions } from '../../src/config/load.ts'
import { unwrap } from '../../src/core/command.ts'
import { approveTask } from '../../src/operations/reviews/approve-task.ts'
import { archiveTask } from '../../src/operations/cards/archive-task.ts'
import { blockTask } from '../../src/operations/cards/block-task.ts'
import { deleteTask } from '../../src/operations/cards/delete-task.ts'
import { editTask } from '../../src/operations/cards/edit-task.ts'
import type { BoardContext } from '../../src/operations/shared/operation.ts'
import { reassignTask } from '../../src/operations/cards/reassign-task.ts'
import { reclaimTask } from '../../src/operations/runs/reclaim-task.ts'
import { scheduleTask } from '../../src/operations/cards/schedule-task.ts'
import type { Store, TaskView } from '../../src/storage/store.ts'
import { card, clockwork, identity, person, runOf } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'

const address = { board: 'default', actor: person } as const
const task = card('a')
const fence = { runId: runOf('a'), tokenHash: 'claim' }
const own = identity()

/** Makes a running card. The test itself acts as its supervisor. */
async function liveCard(from: 'ready' | 'review' = 'ready'): Promise<Store> {
  const { store } = await openTestStore('sqlite')
  unwrap(await store.decide({ ...address, verb: 'create_board', input: { slug: 'default' } }))
  const cards = [{ id: task, title: 'A card', assignee: 'shell', reviewer: 'shell' }]
  unwrap(await store.decide({ ...address, verb: 'create', input: { cards } }))
  if (from === 'review')
    unwrap(await store.decide({ ...address, verb: 'request_review', input: { task, runId: runOf('r') } }))
  const lead = { machine: own.machine, tokenHash: 'lead', identity: own, leaseMs: 60_000 }
  unwrap(await store.decide({ ...address, actor: clockwork, verb: 'lead_dispatch', input: lead }))
  const claim = { machine: own.machine, dispatcher: own, dispatcherTokenHash: 'lead', agent: 'shell' }
  unwrap(await store.decide({ ...address, actor: clockwork, verb: 'claim', input: { task, ...fence, ...claim } }))
  return store
}

async function contextOf(store: Store, env: Record<string, string> = {}): Promise<BoardContext> {
  const options = await loadOptions({ MUSTER_HOME: testFolder(), ...env })
  return { store, board: 'default', actor: person, options }
}

async function settle(store: Store): Promise<void> {
  const input = { task, runId: fence.runId, by: { fence }, ending: { how: 'stopped' as const } }
  unwrap(await store.decide({ ...address, actor: clockwork, verb: 'settle', input }))
}

type Ask = (context: BoardContext) => Promise<TaskView>

const FAR = Date.UTC(2100, 0, 1)

const VERBS: readonly (readonly [verb: string, participle: string, ask: Ask, after: Partial<TaskView>])[] = [
  [
    'block',
    'blocked',
    (context) => blockTask.run(context, { task, reason: 'no key', kind: 'capability' }),
    { status: 'blocked', blockKind: 'capability', blockReason: 'no key', blockedBy: 'ada' },
  ],
  ['archive', 'archived', (context) => archiveTask.run(context, { task }), { status: 'archived' }],
  ['delete', 'deleted', (context) => deleteTask.run(context, { task }), { deletedBy: 'ada' }],
  [
    'schedule',
    'scheduled',
    (context) => scheduleTask.run(context, { task, at: FAR, reason: null }),
    { status: 'scheduled', scheduledAt: FAR },
  ],
  ['reclaim', 'reclaimed', (context) => reclaimTask.run(context, { task, reason: 'no' }), { status: 'ready' }],
  [
    'reclaim',
    'reassigned',
    (context) => reassignTask.run(context, { task, assignee: 'tester', reclaim: true, reason: null }),
    { status: 'ready', assignee: 'tester' },
  ],
  [
    'reclaim',
    'reclaimed',
    (context) => editTask.run(context, { task, clearClaim: true, resetFailures: true, freshWorkspace: false }),
    { status: 'ready', assignee: 'shell' },
  ],
]

async function waitForIntent(store: Store, verb: string): Promise<void> {
  await expect.poll(async () => (await store.run(fence.runId))?.intent?.verb).toBe(verb)
}

test.each(VERBS)(
  '`%s` waits until the run of a card has ended, and then the card is %s',
  async (verb, _, ask, after) => {
    const store = await liveCard()
    const pending: string[] = []
    const asked = ask({ ...(await contextOf(store)), onPending: () => pending.push('pending') })
    await waitForIntent(store, verb)
    expect(await store.task('default', task)).toMatchObject({ status: 'running' })
    await settle(store)
    expect(await asked).toMatchObject(after)
    expect(pending).toEqual(['pending'])
  },
)

test.each(VERBS)('`%s` fails if a later command replaces it, because the card is not %s', async (...row) => {
  const [verb, participle, ask] = row
  const store = await liveCard()
  const asked = ask(await contextOf(store))
  await waitForIntent(store, verb)
  unwrap(await store.decide({ ...address, verb: 'stop', input: { task, reason: 'fire drill' } }))
  await settle(store)
  await expect(asked).rejects.toMatchObject({
    code: 'wrong_status',
    message: expect.stringContaining(`Card ${task} was not ${participle}: its run ended as stopped`),
  })
})

test.each(VERBS)('`%s` stays stored if the run does not end in time', async (verb, participle, ask) => {
  const store = await liveCard()
  const asked = ask(await contextOf(store, { MUSTER_INTENT_WAIT_MS: '20' }))
  await expect(asked).rejects.toMatchObject({
    code: 'pending',
    message: `Card ${task} is still running. It will be ${participle} when run ${fence.runId} ends.`,
  })
  expect(await store.run(fence.runId)).toMatchObject({ intent: { verb }, endedAt: null })
})

test('a person can approve a card while its review runs', async () => {
  const store = await liveCard('review')
  const asked = approveTask.run(await contextOf(store), { task, summary: 'fine by me', force: null })
  await waitForIntent(store, 'approve')
  await settle(store)
  expect(await asked).toMatchObject({ status: 'done', result: 'fine by me' })
})

test('`reassign --reclaim` works at once on a card that is not running', async () => {
  const store = await liveCard()
  const context = await contextOf(store)
  await expect(
    reassignTask.run(context, { task, assignee: 'tester', reclaim: false, reason: null }),
  ).rejects.toMatchObject({ code: 'run_live' })
  await settle(store)
  const after = await reassignTask.run(context, { task, assignee: 'tester', reclaim: true, reason: null })
  expect(after).toMatchObject({ assignee: 'tester' })
})
