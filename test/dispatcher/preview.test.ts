import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { previewPass } from '../../src/dispatcher/preview.ts'
import { newRunId, newTaskId } from '../../src/util/mint.ts'
import { clockwork, person } from '../helpers/sample.ts'
import { testFolder } from '../helpers/stores.ts'
import { openDispatch } from './dispatch-context.ts'

const address = { board: 'default', actor: person } as const

test('a dry run reports only one card per folder, and no card if the folder is in use', async () => {
  const { context, store } = await openDispatch()
  const workspace = { kind: 'dir', path: testFolder() } as const
  const one = { title: 'A card', body: 'true', assignee: 'shell', workspace }
  const [first, second] = [newTaskId(), newTaskId()]
  for (const id of [first, second])
    unwrap(await store.decide({ ...address, verb: 'create', input: { cards: [{ id, ...one }] } }))
  const { started, deferred } = await previewPass(context)
  expect(started).toHaveLength(1)
  expect(deferred).toMatchObject([{ reason: { code: 'directory_busy', params: { card: started[0]?.id } } }])

  const { identity: dispatcher, tokenHash: dispatcherTokenHash, machine } = context.leadership
  const fence = { runId: newRunId(), tokenHash: 'claim' }
  const input = { task: first, ...fence, agent: 'shell', machine, dispatcher, dispatcherTokenHash }
  unwrap(await store.decide({ board: 'default', actor: clockwork, verb: 'claim', input }))
  expect(await previewPass(context)).toMatchObject({
    started: [],
    deferred: [{ id: second, reason: { code: 'directory_busy', params: { card: first } } }],
  })

  // The folder counts as free, because a pass would first end the lost run.
  const lost = { ...dispatcher, startTime: '0' }
  const registered = { task: first, fence, identity: lost, logPath: null, workspacePath: null }
  unwrap(await store.decide({ board: 'default', actor: clockwork, verb: 'register', input: registered }))
  expect(await previewPass(context)).toMatchObject({ interrupted: [{ id: first }], started: [{ id: second }] })
})
