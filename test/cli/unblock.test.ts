// Tests `muster unblock` on a card that reached its attempts limit.
import { expect, test } from 'vitest'
import type { ReasonValue } from '../../src/cli/render/reasons.ts'
import { makeCommandLine } from '../helpers/command-line.ts'
import { clockwork, identity, runOf } from '../helpers/sample.ts'

test('`why` prints a command that resets the attempts of a card', async () => {
  const cli = makeCommandLine()
  const { id } = await cli.create('stuck', '--assignee', 'coder')
  await cli.muster('boards', 'set', 'default', 'attemptsLimit=1')
  const store = await cli.store()
  const lead = { machine: 'laptop', tokenHash: 'lead', identity: identity(1, 'laptop'), leaseMs: 60_000 }
  const address = { board: 'default', actor: clockwork }
  await store.decide({ ...address, verb: 'lead_dispatch', input: lead })
  const fence = { runId: runOf(1), tokenHash: 'token' }
  const where = { machine: 'laptop', dispatcher: identity(1, 'laptop'), dispatcherTokenHash: 'lead' }
  await store.decide({ ...address, verb: 'claim', input: { task: id, ...fence, agent: 'coder', ...where } })
  const settled = { task: id, runId: fence.runId, by: { fence }, ending: { how: 'interrupted' } } as const
  await store.decide({ ...address, verb: 'settle', input: settled })
  expect(await cli.show(id)).toMatchObject({ status: 'blocked', blockKind: 'attempts' })

  const { reasons } = (await cli.run(['why', id, '--json'])).json() as { reasons: readonly ReasonValue[] }
  const clearedBy = `muster unblock ${id} --reset`
  expect(reasons[0]).toMatchObject({ code: 'attempts_spent', clearedBy })
  expect(await cli.muster(...clearedBy.split(' ').slice(1))).toMatchObject({ code: 0 })
  const shown = await cli.show(id)
  expect(shown.status).toBe('ready')
  expect(shown.events.at(-1)).toMatchObject({ kind: 'unblocked', data: { reset: true } })
})
