import { expect, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import { dispatchOnce, runDispatcher } from '../../src/dispatcher/dispatcher.ts'
import { takeLead } from '../../src/dispatcher/lead.ts'
import type { Store } from '../../src/storage/store.ts'
import { hostCalled, openDispatch, storeWith } from './dispatching.ts'

const ignore = (): void => {}
const signals = { stop: new AbortController().signal, drain: new AbortController().signal }
const listener = { onStandby: ignore, onLead: ignore, onPass: ignore, onTrouble: ignore }

test('a renewal that is answered late does not take the lead again after it was given up', async () => {
  const said: string[] = []
  let answerOld = (): void => {}
  const decide = (async ({ verb }: { verb: string }) => {
    // The first renewal is slow, and takes effect only when it is answered.
    if (said.push(`${verb} sent`) === 3) await new Promise<void>((resolve) => (answerOld = resolve))
    said.push(verb)
    return { ok: true, result: {}, now: 0 }
  }) as unknown as Store['decide']
  const store = {
    engine: 'postgres',
    decide,
    dispatcher: async () => null,
    dispatcherMemory: async () => null,
  } as unknown as Store
  const lead = await takeLead({ store, host: hostCalled('here'), leaseMs: 30 })
  if ('code' in lead) throw lead
  await expect.poll(() => said).toHaveLength(3)
  const left = lead.leave()
  // What would overtake the renewal has done so by now: nothing but the store is asked on the way.
  await new Promise((resolve) => setImmediate(resolve))
  answerOld()
  await left
  expect(said.at(-1)).toBe('leave_dispatch')
})

test('a SQLite store is dispatched by one machine', async () => {
  const { store, pass } = await openDispatch(hostCalled('here'))
  const there = { store, host: hostCalled('there'), leaseMs: 1_000 }
  expect(await takeLead(there)).toMatchObject({
    code: 'dispatcher_superseded',
    message: expect.stringContaining('Another machine or container (here'),
  })
  await pass(2 * 3_600_000)
  const lead = await takeLead(there)
  expect(lead).toMatchObject({ machine: 'there' })
  if ('leave' in lead) await lead.leave()
})

test('what ended a pass is told, whatever happens on leaving', async () => {
  const { leading, store, pass } = await openDispatch()
  await leading.lead.leave()
  const broken = storeWith(store, {
    lanes: () => Promise.reject(new BoardError('store_io', 'the disk is gone')),
    decide: async (command) => {
      if (command.verb === 'leave_dispatch') throw new BoardError('internal', 'and so is the lead')
      return store.decide(command)
    },
  })
  const dispatching = { ...leading, store: broken }
  await expect(
    dispatchOnce(dispatching, { wait: false, listener: { onPass: () => {}, onEnd: () => {} } }),
  ).rejects.toThrow('the disk is gone')
  await pass(leading.options.dispatcherLeaseMs)
  const up = runDispatcher(dispatching, listener, signals)
  await expect(up).rejects.toThrow('the disk is gone')
})

test('a store that a crash has torn is not dispatched', async () => {
  const { leading, store } = await openDispatch()
  await leading.lead.leave()
  const torn = storeWith(store, { checkAfterBoot: async () => ['row 7 is missing from index task_lane'] })
  const up = runDispatcher({ ...leading, store: torn }, listener, signals)
  await expect(up).rejects.toMatchObject({ code: 'store_corrupt', message: expect.stringContaining('row 7') })
  expect(await store.dispatchers()).toEqual([])
})
