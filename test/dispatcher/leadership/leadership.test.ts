import { describe, expect, test } from 'vitest'
import { unwrap } from '../../../src/core/command.ts'
import { BoardError } from '../../../src/core/errors.ts'
import { dispatchOnce, runDispatcher } from '../../../src/dispatcher/dispatcher.ts'
import { takeLeadership } from '../../../src/dispatcher/leadership/leadership.ts'
import { HolderWatch } from '../../../src/dispatcher/leadership/shared-machine-id.ts'
import type { Store } from '../../../src/storage/store.ts'
import type { Host } from '../../../src/processes/identity.ts'
import { card, clockwork, person } from '../../helpers/sample.ts'
import { tableOf } from '../../processes/process-table.ts'
import { hostCalled, openDispatch, storeWith } from '../dispatch-context.ts'

const ignore = (): void => {}
const signals = { stop: new AbortController().signal, drain: new AbortController().signal }
const listener = { onStandby: ignore, onLead: ignore, onPass: ignore, onTrouble: ignore }

test('a renewal in progress does not take the leadership back after a release', async () => {
  const calls: string[] = []
  let answerRenewal = (): void => {}
  const decide = (async ({ verb }: { verb: string }) => {
    // The first renewal takes effect only when the test answers it.
    if (calls.push(`${verb} sent`) === 3) await new Promise<void>((resolve) => (answerRenewal = resolve))
    calls.push(verb)
    return { ok: true, result: {}, now: 0 }
  }) as unknown as Store['decide']
  const store = {
    engine: 'postgres',
    decide,
    dispatcher: async () => null,
    dispatcherMemory: async () => null,
  } as unknown as Store
  const leadership = await takeLeadership({ store, host: hostCalled('here'), home: '/nowhere', leaseMs: 30 })
  if ('code' in leadership) throw leadership
  await expect.poll(() => calls).toHaveLength(3)
  const released = leadership.release()
  // By now, a release that did not wait for the renewal would have reached the store.
  await new Promise((resolve) => setImmediate(resolve))
  answerRenewal()
  await released
  expect(calls.at(-1)).toBe('leave_dispatch')
})

test('a dispatcher records its last pass, with the reasons of the cards that it could not start', async () => {
  const { context, store } = await openDispatch()
  await context.leadership.release()
  const cards = [{ id: card('a'), title: 'A card', assignee: 'missing' }]
  const to = { board: 'main', actor: person }
  unwrap(await store.decide({ ...to, verb: 'create_board', input: { slug: 'main' } }))
  unwrap(await store.decide({ ...to, verb: 'create', input: { cards } }))
  const stop = new AbortController()
  const options = { ...context.options, dispatcherLeaseMs: 60, sweepMs: 20 }
  const running = runDispatcher({ ...context, options }, listener, { stop: stop.signal, drain: signals.drain })
  const lastPass = async () => (await store.dispatchers())[0]?.lastPass
  await expect.poll(lastPass).toMatchObject({ everyMs: 20, started: 0, waiting: [{ code: 'agent_unknown', count: 1 }] })
  stop.abort()
  await running
})

test('only one machine at a time can have an active dispatcher on a SQLite store', async () => {
  const { store, pass } = await openDispatch(hostCalled('here'))
  const there = { store, host: hostCalled('there'), home: '/nowhere', leaseMs: 1_000 }
  expect(await takeLeadership(there)).toMatchObject({
    code: 'dispatcher_superseded',
    message: expect.stringContaining('Another machine or container (here'),
  })
  await pass(2 * 3_600_000)
  const leadership = await takeLeadership(there)
  expect(leadership).toMatchObject({ machine: 'there' })
  if ('release' in leadership) await leadership.release()
})

test('the error that ended a pass is reported, even if the release also fails', async () => {
  const { context, store, pass } = await openDispatch()
  await context.leadership.release()
  const broken = storeWith(store, {
    lanes: () => Promise.reject(new BoardError('store_io', 'the disk is gone')),
    decide: async (command) => {
      if (command.verb === 'leave_dispatch') throw new BoardError('internal', 'the release fails, too')
      return store.decide(command)
    },
  })
  const withFault = { ...context, store: broken }
  await expect(
    dispatchOnce(withFault, { wait: false, listener: { onPass: () => {}, onEnd: () => {} } }),
  ).rejects.toThrow('the disk is gone')
  await pass(context.options.dispatcherLeaseMs)
  const up = runDispatcher(withFault, listener, signals)
  await expect(up).rejects.toThrow('the disk is gone')
})

test('a dispatcher refuses a store that a crash damaged', async () => {
  const { context, store } = await openDispatch()
  await context.leadership.release()
  const torn = storeWith(store, { checkAfterBoot: async () => ['row 7 is missing from index task_lane'] })
  const up = runDispatcher({ ...context, store: torn }, listener, signals)
  await expect(up).rejects.toMatchObject({ code: 'store_corrupt', message: expect.stringContaining('row 7') })
  expect(await store.dispatchers()).toEqual([])
})

describe('machines with the same id', () => {
  const booted = (bootId: string, hostname: string): Host => {
    const host = hostCalled('cloned')
    return { ...host, machine: { ...host.machine, bootId, hostname } }
  }

  test('the second machine is refused once the first one renews its lease', async () => {
    const opened = await openDispatch(booted('boot-a', 'first'))
    const store = storeWith(opened.store, { engine: 'postgres' })
    const holderWatch = new HolderWatch()
    const second = { store, host: booted('boot-b', 'second'), home: '/data', leaseMs: 1_000, holderWatch }
    // Before the renewal, the first machine could be the same machine before a reboot.
    const refused = { code: 'dispatcher_superseded', message: expect.stringContaining('try again in a moment') }
    expect(await takeLeadership(second)).toMatchObject(refused)
    expect(await takeLeadership(second)).toMatchObject(refused)
    const { machine, tokenHash, identity } = opened.context.leadership
    await opened.pass(1)
    const input = { machine, tokenHash, identity, leaseMs: 3_600_000 }
    unwrap(await store.decide({ board: 'default', actor: clockwork, verb: 'lead_dispatch', input }))
    const shared = await takeLeadership(second)
    expect(shared).toMatchObject({ code: 'machine_id_shared' })
    for (const words of ['cloned', 'second', 'first', '/etc/machine-id', '/data/machine-id'])
      expect((shared as BoardError).message).toContain(words)
  })

  test('a dispatcher of another boot can become active after the lease has expired', async () => {
    const opened = await openDispatch(booted('boot-a', 'first'))
    await opened.pass(2 * 3_600_000)
    const store = storeWith(opened.store, { engine: 'postgres' })
    const leadership = await takeLeadership({ store, host: booted('boot-b', 'first'), home: '/data', leaseMs: 1_000 })
    expect(leadership).toMatchObject({ machine: 'cloned' })
    if ('release' in leadership) await leadership.release()
  })

  const passes = async () => {
    const opened = await openDispatch(booted('boot-a', 'first'))
    await opened.context.leadership.release()
    const store = storeWith(opened.store, { engine: 'postgres' })
    return async (bootId: string, hostname: string): Promise<string> => {
      const leadership = await takeLeadership({ store, host: booted(bootId, hostname), home: '/data', leaseMs: 1_000 })
      if ('release' in leadership) await leadership.release()
      return 'release' in leadership
        ? 'leads'
        : leadership.code === 'machine_id_shared'
          ? leadership.message
          : leadership.code
    }
  }

  test('one of two machines with separate passes is refused with an error that names both', async () => {
    const pass = await passes()
    expect(await pass('boot-b', 'second')).toBe('leads')
    for (let round = 1; round <= 3; round += 1) {
      const refused = await pass('boot-a', 'first')
      for (const words of ['cloned', 'this one (first)', 'another (second', '/etc/machine-id', '/data/machine-id'])
        expect(refused).toContain(words)
      expect(await pass('boot-b', 'second')).toBe('leads')
    }
  })

  test('the refused machine leads again when the other makes no more passes', async () => {
    const pass = await passes()
    expect(await pass('boot-b', 'second')).toBe('leads')
    expect(await pass('boot-a', 'first')).toContain('Two machines use the id')
    for (let round = 1; round <= 3; round += 1) expect(await pass('boot-a', 'first')).toBe('leads')
    expect(await pass('boot-b', 'second')).toContain('Two machines use the id')
  })

  test('only one of three machines with the same id leads', async () => {
    const pass = await passes()
    const round = () =>
      Promise.resolve(['a', 'b', 'c']).then(async (names) => {
        const led: string[] = []
        for (const name of names) if ((await pass(`boot-${name}`, name)) === 'leads') led.push(name)
        return led
      })
    expect(await round()).toEqual(['a', 'b', 'c'])
    for (let nth = 1; nth <= 3; nth += 1) expect(await round()).toEqual(['c'])
  })

  test('repeated reboots of one machine are not taken for a second machine', async () => {
    const pass = await passes()
    for (const boot of ['boot-b', 'boot-b', 'boot-c', 'boot-d', 'boot-d'])
      expect(await pass(boot, 'first')).toBe('leads')
  })

  test('the dispatcher of a restarted container with a reused namespace number can become active', async () => {
    const opened = await openDispatch(booted('boot-a', 'first'))
    await opened.context.leadership.release()
    const store = storeWith(opened.store, { engine: 'postgres' })
    const starts = [
      ['4026531001', '100'],
      ['4026531002', '200'],
      ['4026531001', '300'],
    ] as const
    for (const [pidNamespace, startTime] of starts) {
      const host = booted('boot-a', 'first')
      const processes = tableOf([{ pid: process.pid }, { pid: 1, startTime }])
      const inContainer = { machine: { ...host.machine, pidNamespace }, processes }
      const leadership = await takeLeadership({ store, host: inContainer, home: '/data', leaseMs: 1_000 })
      expect(leadership).toMatchObject({ machine: 'cloned' })
      if ('release' in leadership) await leadership.release()
    }
  })

  test('a dispatcher of another boot becomes active at once on a SQLite store', async () => {
    const { store } = await openDispatch(booted('boot-a', 'first'))
    const leadership = await takeLeadership({ store, host: booted('boot-b', 'first'), home: '/data', leaseMs: 1_000 })
    expect(leadership).toMatchObject({ machine: 'cloned' })
    if ('release' in leadership) await leadership.release()
  })
})
