/** Makes a dispatcher for tests, with its own store, a fake machine and a supervisor that does nothing. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { loadOptions } from '../../src/config/load.ts'
import { LanePositions } from '../../src/dispatcher/lanes/lane-positions.ts'
import type { DispatchContext, LeaderContext } from '../../src/dispatcher/dispatch-context.ts'
import { takeLeadership } from '../../src/dispatcher/leadership/leadership.ts'
import type { Store } from '../../src/storage/store.ts'
import { newTaskId } from '../../src/util/mint.ts'
import type { Host } from '../../src/processes/identity.ts'
import { person } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'
import type { TestStore } from '../helpers/stores.ts'
import { tableOf } from '../processes/process-table.ts'

export const hostCalled = (id: string): Host => ({
  machine: { id, bootId: 'boot-1', pidNamespace: null },
  processes: tableOf([{ pid: process.pid }]),
})

/** Returns the store with some methods replaced. */
export const storeWith = (store: Store, given: Partial<Store>): Store =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(name in given ? given : target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })

export interface TestDispatch extends TestStore {
  readonly context: LeaderContext
  readonly create: (count: number, card?: { body?: string; assignee?: string; checks?: string[] }) => Promise<TaskId[]>
}

export async function openDispatch(host = hostCalled('here')): Promise<TestDispatch> {
  const opened = await openTestStore('sqlite')
  const { store } = opened
  const address = { board: 'default', actor: person } as const
  unwrap(await store.decide({ ...address, verb: 'create_board', input: { slug: 'default' } }))
  const home = join(testFolder(), 'home')
  mkdirSync(home)
  const supervisorPath = join(home, 'supervisor.js')
  writeFileSync(supervisorPath, '')
  const options = await loadOptions({ MUSTER_HOME: home })
  const leadership = await takeLeadership({ store, host, home, leaseMs: 3_600_000 })
  if ('code' in leadership) throw leadership
  onTestFinished(() => leadership.release())
  return {
    ...opened,
    context: {
      store,
      host,
      options,
      env: {},
      supervisorPath,
      onlyBoard: null,
      max: null,
      lanePositions: new LanePositions(),
      leadership,
    },
    create: async (count, { body = 'true', assignee = 'shell', checks = [] } = {}) => {
      const cards = Array.from({ length: count }, () => ({ id: newTaskId(), title: 'A card', body, assignee, checks }))
      for (let at = 0; at < count; at += 100)
        unwrap(await store.decide({ ...address, verb: 'create', input: { cards: cards.slice(at, at + 100) } }))
      return cards.map(({ id }) => id)
    },
  }
}

/** Counts the claims that reach a store. */
export function countingClaims(store: Store): { store: Store; claims: () => number } {
  let claims = 0
  const decide = (async (command: Parameters<Store['decide']>[0]) => {
    if (command.verb === 'claim') claims += 1
    return store.decide(command)
  }) as Store['decide']
  return { store: storeWith(store, { decide }), claims: () => claims }
}

/** Resolves when the supervisors that a pass started have ended. */
export function whenEnded(count: number): {
  ended: Promise<void>
  onSupervisorExit: DispatchContext['onSupervisorExit'] & {}
} {
  let end = (): void => {}
  let left = count
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { ended, onSupervisorExit: () => (left -= 1) === 0 && end() }
}
