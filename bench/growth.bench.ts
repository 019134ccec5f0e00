/** Measures whether the cost per unit stays the same at scale: many children, parents and comments, large boards. */
import type { TaskId } from '../src/core/ids.ts'
import { TASK } from '../src/storage/rows.ts'
import { connectClient } from '../src/storage/postgres/client.ts'
import { connect } from '../src/storage/sqlite/connection.ts'
import type { StoreLocation } from '../src/storage/location.ts'
import type { Store } from '../src/storage/store.ts'
import { newCommentId, newRunId, newTaskId } from '../src/util/mint.ts'
import { parentsVariable } from '../src/workers/parents.ts'
import { BOARD, withPlace } from '../test/helpers/places.ts'
import type { Engine } from '../test/helpers/places.ts'
import { createCards, decide } from '../test/helpers/proofs/proof.ts'
import { info, median, ratio } from './report.ts'

const FEW = 100
const MANY = 10_000
const SMALL = 10_000
const LARGE = 1_000_000
const ROUNDS = 25
const TARGET = '<=1.5'

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The median of a few rounds, after one that only warms up. */
async function typical(work: () => Promise<unknown>): Promise<number> {
  await work()
  const found: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) found.push(await timed(work))
  return median(found)
}

async function createChildren(store: Store, parent: TaskId, count: number): Promise<TaskId[]> {
  const ids = Array.from({ length: count }, newTaskId)
  for (let at = 0; at < count; at += 500) {
    const cards = ids.slice(at, at + 500).map((id) => ({ id, title: `card ${id}`, parents: [parent] }))
    await decide(store, 'create', { cards })
  }
  return ids
}

/** Milliseconds per child to finish a card. */
async function perChild(store: Store, count: number): Promise<number> {
  const [parent] = (await createCards(store, 1)) as [TaskId]
  await createChildren(store, parent, count)
  return (await timed(() => decide(store, 'complete', { task: parent, runId: newRunId() }))) / count
}

/** Milliseconds per parent to collect the results of a card's parents. */
async function perParent(store: Store, count: number, location: StoreLocation): Promise<number> {
  await createCards(store, count)
  const [child] = (await createCards(store, 1)) as [TaskId]
  await runSql(
    location,
    `insert into link (board, parent_id, child_id, created_at)
      select board, id, '${child}', 0 from task where id <> '${child}'`,
  )
  const note = async (): Promise<void> => {
    const handOffs = await store.handOffs(BOARD, child)
    parentsVariable(
      handOffs.map(({ task: { id, title }, summary }) => ({ id, title, workspace: null, artifacts: [], summary })),
    )
  }
  return (await typical(note)) / count
}

/** Milliseconds to write a comment and read the newest page, on a card with `count` comments. */
async function perComment(store: Store, count: number, location: StoreLocation): Promise<number> {
  const [task] = (await createCards(store, 1)) as [TaskId]
  await runSql(
    location,
    `insert into comment (board, id, task_id, author, body, created_at)
      select '${BOARD}', 'c' || s.i, '${task}', 'ada', 'A comment of some words.', s.i
      from ${SERIES[location.engine](count)} order by s.i`,
  )
  return typical(async () => {
    await decide(store, 'comment', { task, id: newCommentId(), body: 'One more.' })
    await store.comments(BOARD, task)
  })
}

const PER_UNIT = { children: perChild, parents: perParent, comments: perComment }

/** Queries about a whole board. */
const QUESTIONS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'first-page': (store) => store.tasks(BOARD, { limit: 50 }),
  'first-page-by-title': (store) => store.tasks(BOARD, { limit: 50, sort: 'title' }),
  places: (store) => store.namedPlaces(),
  stats: (store) => store.groups(BOARD),
  search: (store) => store.tasks(BOARD, { text: 'card number 77', limit: 50 }),
  'search-rare': (store) => store.tasks(BOARD, { text: 'nowhere to be found', limit: 50 }),
}

const SERIES = {
  sqlite: (size: number) => `(with recursive s (i) as (select 1 union all select i + 1 from s where i < ${size})
    select i from s) s`,
  postgres: (size: number) => `(select i from generate_series(1, ${size}) i) s`,
}
const ID = { sqlite: `'t_' || printf('%010d', s.i)`, postgres: `'t_' || lpad(s.i::text, 10, '0')` }

/** Inserts copies of a card; every tenth is ready, the others are finished. */
async function fill(location: StoreLocation, model: TaskId, size: number): Promise<void> {
  const varied: Readonly<Record<string, string>> = {
    id: ID[location.engine],
    title: `'card number ' || s.i`,
    status: `case when s.i % 10 = 0 then 'ready' else 'done' end`,
    created_at: 'task.created_at + s.i',
    rank: 's.i',
    workspace_kind: `case when s.i % 100 = 0 then 'dir' else 'scratch' end`,
    workspace_path: `'/srv/site' || (s.i % 7)`,
  }
  const values = TASK.columnNames.map((name) => varied[name] ?? `task.${name}`)
  const insert = `insert into task (${TASK.columnNames.join(', ')})
    select ${values.join(', ')} from ${SERIES[location.engine](size)}, task where task.id = '${model}'`
  await runSql(location, insert)
}

/** Writes past the store: the bench needs many rows fast. */
async function runSql(location: StoreLocation, text: string): Promise<void> {
  if (location.engine === 'sqlite') {
    const connection = connect(location.path, 'rw')
    connection.exec(`pragma synchronous = off; pragma cache_size = -400000; ${text}`)
    // Otherwise every page is looked for in a log of half a gigabyte, which no board has.
    connection.exec('pragma wal_checkpoint(truncate)')
    return connection.close()
  }
  const client = connectClient({ ...location, connections: 1, readOnly: false })
  await client.unsafe(text)
  // The store adds up its counters with every 256th event; these cards came without events.
  await client.unsafe('update feed set last_id = last_id + 256')
  await client.unsafe('vacuum analyze')
  await client.end()
}

const onBoard = (engine: Engine, url: string, size: number): Promise<Record<string, number>> =>
  withPlace(engine, url, async (location, store) => {
    const [model] = (await createCards(store, 1)) as [TaskId]
    await fill(location, model, size)
    const found: Record<string, number> = {}
    for (const [name, ask] of Object.entries(QUESTIONS)) found[name] = await typical(() => ask(store))
    return found
  })

export async function benchGrowth(postgresUrl: string): Promise<void> {
  for (const engine of ['sqlite', 'postgres'] as const) {
    for (const [name, cost] of Object.entries(PER_UNIT)) {
      const measure = (count: number) =>
        withPlace(engine, postgresUrl, (location, store) => cost(store, count, location))
      const [few, many] = [await measure(FEW), await measure(MANY)]
      ratio(`growth-${name}-10k-vs-100-${engine}`, many / few, TARGET)
      info(`${few.toFixed(3)} ms each for ${FEW}, ${many.toFixed(3)} ms for ${MANY}`)
    }
    const small = await onBoard(engine, postgresUrl, SMALL)
    const large = await onBoard(engine, postgresUrl, LARGE)
    for (const name of Object.keys(QUESTIONS)) {
      const [before, after] = [small[name] ?? 0, large[name] ?? 0]
      ratio(`growth-${name}-1m-vs-10k-${engine}`, after / before, TARGET)
      info(`${before.toFixed(2)} ms among ${SMALL} cards, ${after.toFixed(2)} ms among ${LARGE}`)
    }
  }
}
