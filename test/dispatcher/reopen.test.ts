import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { reopenAccounts } from '../../src/dispatcher/reopen.ts'
import { newRunId } from '../../src/util/mint.ts'
import { clockwork, identity } from '../helpers/sample.ts'
import { openDispatch } from './dispatching.ts'

test('a probe that works for a minute without meeting the limit opens its account again', async () => {
  const { leading, store, create, pass } = await openDispatch()
  const { lead } = leading
  const address = { board: 'default', actor: clockwork } as const
  const [task] = (await create(1)) as [TaskId]
  unwrap(await store.decide({ ...address, verb: 'pause_account', input: { account: 'acme', cause: 'quota' } }))
  await pass(5 * 60_000)
  const fence = { runId: newRunId(), tokenHash: 'claim' }
  const by = { dispatcher: lead.identity, dispatcherTokenHash: lead.tokenHash, machine: lead.machine }
  const claim = { task, ...fence, agent: 'shell', account: 'acme', ...by }
  unwrap(await store.decide({ ...address, verb: 'claim', input: claim }))
  unwrap(await store.decide({ ...address, verb: 'register', input: { task, fence, identity: identity(42, 'here') } }))
  await pass(59_000)
  await reopenAccounts(leading, await store.boards())
  expect(await store.account('acme')).toMatchObject({ pauseCause: 'quota', probeRunId: fence.runId })
  await pass(1_000)
  await reopenAccounts(leading, await store.boards())
  expect(await store.account('acme')).toMatchObject({ pauseCause: null, probeRunId: null })
})
