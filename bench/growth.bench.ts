/** Measures whether the cost per unit stays the same at scale: many children, parents and comments, large boards. */
import type { TaskId } from '../src/core/ids.ts'
import { TASK } from '../src/storage/rows.ts'
import { connectClient } from '../src/storage/postgres/client.ts'
import { connect } from '../src/storage/sqlite/connection.ts'
import type { StoreLocation } from '../src/storage/location.ts'
import type { Store } from '../src/storage/store.ts'
import { newCommentId, newRunId, newTaskId } from '../src/util/mint.ts'
import { parentsVariable } from '../src/runs/parents.ts'
import { BOARD, withPlace } from '../test/helpers/places.ts'
import type { Engine } from '../test/helpers/places.ts'
import { createCards, decide } from '../test/helpers/proofs/proof.ts'
import { info, median, ratio } from './report.ts'

const FEW = 100
const MANY = 10_000
const SMALL = 10_000
const LARGE = 1_000_000
const ROUNDS = 100
const LONG_ROUNDS = 15
const WARM_UP = 10
const TARGET = '<=1.5'

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

type Round = () => Promise<unknown>

/**
 * The medians of two kinds of rounds. The rounds alternate, so that a busy machine slows both. The first rounds only
 * warm up: caches fill, and Node compiles hot functions.
 */
async function alternate(kinds: readonly [Round, Round], rounds = ROUNDS): Promise<[number, number]> {
  const found: [number[], number[]] = [[], []]
  for (let round = -WARM_UP; round < rounds; round += 1)
    for (const [at, kind] of kinds.entries()) {
      const ms = await timed(kind)
      if (round >= 0) found[at]?.push(ms)
    }
  return [median(found[0]), median(found[1])]
}

const repeated = (round: Round, times: number) => async (): Promise<void> => {
  for (let at = 0; at < times; at += 1) await round()
}

async function createChildren(store: Store, parent: TaskId, count: number): Promise<TaskId[]> {
  const ids = Array.from({ length: count }, newTaskId)
  for (let at = 0; at < count; at += 500) {
    const cards = ids.slice(at, at + 500).map((id) => ({ id, title: `card ${id}`, parents: [parent] }))
    await decide(store, 'create', { cards })
  }
  return ids
}

/** The time to finish a card, in milliseconds for each of its children. */
async function perChild(store: Store, count: number): Promise<number> {
  const [parent] = (await createCards(store, 1)) as [TaskId]
  await createChildren(store, parent, count)
  return (await timed(() => decide(store, 'complete', { task: parent, runId: newRunId() }))) / count
}

/** Creates a card with `count` parents. Each round collects the results of these parents. */
async function prepareParentRounds(store: Store, count: number, location: StoreLocation): Promise<Round> {
  await createCards(store, count)
  const [child] = (await createCards(store, 1)) as [TaskId]
  await runSql(
    location,
    `insert into link (board, parent_id, child_id, created_at)
      select board, id, '${child}', 0 from task where id <> '${child}'`,
  )
  return async () => {
    const handOffs = await store.handOffs(BOARD, child)
    parentsVariable(
      handOffs.map(({ task: { id, title }, summary }) => ({ id, title, workspace: null, artifacts: [], summary })),
    )
  }
}

/** Creates a card with `count` comments. Each round adds a comment and reads the newest page. */
async function prepareCommentRounds(store: Store, count: number, location: StoreLocation): Promise<Round> {
  const [task] = (await createCards(store, 1)) as [TaskId]
  await runSql(
    location,
    `insert into comment (board, id, task_id, author, body, created_at)
      select '${BOARD}', 'c' || s.i, '${task}', 'ada', 'A comment of some words.', s.i
      from ${SERIES[location.engine](count)} order by s.i`,
  )
  return async () => {
    await decide(store, 'comment', { task, id: newCommentId(), body: 'One more.' })
    await store.comments(BOARD, task)
  }
}

/** Measures the milliseconds per unit on two stores, one with few units and one with many. */
type Cost = (few: Place, many: Place) => Promise<[number, number]>

const PER_UNIT: Readonly<Record<string, Cost>> = {
  children: async (few, many) => [await perChild(few.store, FEW), await perChild(many.store, MANY)],
  parents: async (few, many) => {
    const ofFew = await prepareParentRounds(few.store, FEW, few.location)
    const ofMany = await prepareParentRounds(many.store, MANY, many.location)
    // Both kinds of rounds read the same number of parents. Otherwise one kind would take longer, and a busy machine
    // would interrupt it more often.
    const [oneByOne, together] = await alternate([repeated(ofFew, MANY / FEW), ofMany], LONG_ROUNDS)
    return [oneByOne / MANY, together / MANY]
  },
  comments: async (few, many) =>
    alternate([
      await prepareCommentRounds(few.store, FEW, few.location),
      await prepareCommentRounds(many.store, MANY, many.location),
    ]),
}

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

/** Writes directly to the database, because the bench needs many rows fast. */
async function runSql(location: StoreLocation, text: string): Promise<void> {
  if (location.engine === 'sqlite') {
    const connection = connect(location.path, 'rw')
    connection.exec(`pragma synchronous = off; pragma cache_size = -400000; ${text}`)
    // Empties the write-ahead log. Otherwise reads would search half a gigabyte of it, which no real board has.
    connection.exec('pragma wal_checkpoint(truncate)')
    return connection.close()
  }
  const client = connectClient({ ...location, connections: 1, readOnly: false })
  await client.unsafe(text)
  // The store updates its counters with every 256th event. These cards have no events, so the number is advanced here.
  await client.unsafe('update feed set last_id = last_id + 256')
  await client.unsafe('vacuum analyze')
  await client.end()
}

interface Place {
  readonly location: StoreLocation
  readonly store: Store
}

/** Opens two new stores at once. */
const withTwoPlaces = <T>(engine: Engine, url: string, work: (one: Place, other: Place) => Promise<T>): Promise<T> =>
  withPlace(engine, url, (location, store) =>
    withPlace(engine, url, (otherLocation, otherStore) =>
      work({ location, store }, { location: otherLocation, store: otherStore }),
    ),
  )

async function fillBoard({ location, store }: Place, size: number): Promise<void> {
  const [model] = (await createCards(store, 1)) as [TaskId]
  await fill(location, model, size)
}

export async function benchGrowth(postgresUrl: string): Promise<void> {
  for (const engine of ['sqlite', 'postgres'] as const) {
    for (const [name, cost] of Object.entries(PER_UNIT)) {
      const [few, many] = await withTwoPlaces(engine, postgresUrl, cost)
      ratio(`growth-${name}-10k-vs-100-${engine}`, many / few, TARGET)
      info(`${few.toFixed(3)} ms each for ${FEW}, ${many.toFixed(3)} ms for ${MANY}`)
    }
    await withTwoPlaces(engine, postgresUrl, async (small, large) => {
      await fillBoard(small, SMALL)
      await fillBoard(large, LARGE)
      for (const [name, ask] of Object.entries(QUESTIONS)) {
        const [before, after] = await alternate([() => ask(small.store), () => ask(large.store)])
        ratio(`growth-${name}-1m-vs-10k-${engine}`, after / before, TARGET)
        info(`${before.toFixed(2)} ms among ${SMALL} cards, ${after.toFixed(2)} ms among ${LARGE}`)
      }
    })
  }
}
