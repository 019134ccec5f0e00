import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskId } from '../../../src/core/ids.ts'
import type { StoreLocation } from '../../../src/storage/location.ts'
import { openStore } from '../../../src/storage/open.ts'
import type { Store } from '../../../src/storage/store.ts'
import { BOARD } from '../places.ts'
import { startWorkers } from '../processes.ts'
import { createCards, decide, unless } from './proof.ts'
import type { Proof } from './proof.ts'

type FileLocation = Extract<StoreLocation, { engine: 'sqlite' }>

/** Every method of a store that only reads, by name. */
const READS: Readonly<Record<string, (store: Store, task: TaskId) => Promise<unknown>>> = {
  boards: (store) => store.boards(),
  board: (store) => store.board(BOARD),
  task: (store, task) => store.task(BOARD, task),
  tasks: (store) => store.tasks(BOARD, { status: 'ready', sort: 'updated-desc', limit: 10 }),
  'tasks by prefix': (store, task) => store.tasksByPrefix(task.slice(0, 5)),
  runs: (store, task) => store.runs(BOARD, task),
  comments: (store, task) => store.comments(BOARD, task),
  attachments: (store, task) => store.attachments(BOARD, task),
  'events of a card': (store, task) => store.taskEvents(BOARD, task),
  'open parents': (store, task) => store.openParents(BOARD, task),
  counts: (store) => store.counts(BOARD),
  groups: (store) => store.groups(BOARD),
  'tasks by id': (store, task) => store.tasksById([task]),
  'hand-offs': (store, task) => store.handOffs(BOARD, task),
  'recent work': (store, task) => store.recentWork(BOARD, 'coder', { except: task, limit: 5 }),
  'feed of a card': (store, task) => store.cardFeed({ board: BOARD, task }, null),
  admissionFacts: async (store, task) => {
    const [card] = await store.tasksById([task])
    return card && store.admissionFacts(card, { machine: 'laptop', agent: 'coder', account: 'acme' })
  },
  slots: (store) => store.slots(),
  feed: async (store) => store.feed((await store.feed(null)).cursor),
  due: (store) => store.due(Date.now(), 10),
  'next due': (store) => store.nextDue(),
  lanes: (store) => store.lanes(),
  'lane head': (store) => store.laneHead({ board: BOARD, agent: null, phase: 'work' }, 5),
  'open runs': (store) => store.openRuns(null),
  doctor: (store) => store.doctor(),
  export: (store) => store.exportAll(),
}

/**
 * Returns the bytes of the file. The caller must have closed the store, because reading the file would drop the locks
 * of this process on the store.
 */
const bytesOf = (path: string): string =>
  createHash('sha256')
    .update(readFileSync(path))
    .update(existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : '')
    .digest('hex')

async function reading<T>(location: FileLocation, ask: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(location, { mode: 'read' })
  try {
    return await ask(store)
  } finally {
    await store.close()
  }
}

/** After a clean close, a read must not change a byte of the file. The proof closes `store`. */
export async function proveReads(location: FileLocation, store: Store): Promise<Proof> {
  const [parent, child] = (await createCards(store, 20)) as [TaskId, TaskId]
  await decide(store, 'link', { parent, child })
  await store.close()
  const faults: string[] = []
  for (const [name, ask] of Object.entries(READS)) {
    const before = bytesOf(location.path)
    await reading(location, (reader) => ask(reader, child))
    faults.push(...unless(bytesOf(location.path) === before, `${name} changed the file`))
  }
  return { figures: { questions: Object.keys(READS).length, changed: faults.length }, faults }
}

/** After a kill, a read must not change a byte or a row, and the recovery by the next writer must not change a row. */
export async function proveReadsAfterKill(
  location: FileLocation,
  store: Store,
  { kills }: { kills: number },
): Promise<Proof> {
  await store.close()
  const faults: string[] = []
  let rows = 0
  for (let round = 0; round < kills; round++) {
    const [writer] = await startWorkers(location, 1)
    writer?.run('write', { completes: true }).catch(() => undefined)
    await sleep(20 + Math.random() * 40)
    await writer?.kill()
    const killed = bytesOf(location.path)
    const before = await reading(location, (reader) => reader.exportAll())
    const after = await reading(location, (reader) => reader.exportAll())
    faults.push(
      ...unless(bytesOf(location.path) === killed, `kill ${round}: reading changed the file or its log`),
      ...unless(isDeepStrictEqual(after, before), `kill ${round}: a second reader saw other rows`),
    )
    const recovered = await openStore(location, { mode: 'write' })
    faults.push(
      ...unless(isDeepStrictEqual(await recovered.exportAll(), before), `kill ${round}: recovery changed a row`),
    )
    await recovered.close()
    rows = Object.values(before).reduce((sum, table) => sum + table.length, 0)
  }
  return { figures: { kills, 'rows at the end': rows }, faults }
}
