/**
 * Tests that no query of the dispatcher scans a whole board. The test records the statements of real calls on a board
 * of 20,000 cards and checks their query plans. PostgreSQL also runs the statements and reports how many rows they
 * touched.
 */
import { describe, expect, it } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { INBOX_KINDS } from '../../src/core/inbox.ts'
import { STATUSES } from '../../src/core/vocabulary.ts'
import type { Dialect } from '../../src/storage/dialect.ts'
import { TASK } from '../../src/storage/rows.ts'
import { render } from '../../src/storage/sql.ts'
import type { Sql } from '../../src/storage/sql.ts'
import { SqlStore } from '../../src/storage/sql-store.ts'
import type { Store, TaskFilter } from '../../src/storage/store.ts'
import { all, first, isWrite } from '../../src/storage/tx.ts'
import type { Tx } from '../../src/storage/tx.ts'
import { HOUR, card, clockwork, commentOf, runOf } from '../helpers/sample.ts'
import { openTestStore } from '../helpers/stores.ts'
import type { TestStore } from '../helpers/stores.ts'
import { Desk } from './desk.ts'
import { dialectOn } from './dialects.ts'

const CARDS = 20_000
const OPEN_RUNS = 8
const INBOX_INDEXES = ['blocked', 'triage', 'unapproved', 'person_review', 'unlanded', 'finished'].map(
  (one) => `task_${one}`,
)

/** The numbers 1..CARDS as a column `i`, and the id of card number i, in the SQL of each engine. */
const SERIES = {
  sqlite: `(with recursive s (i) as (select 1 union all select i + 1 from s where i < ${CARDS}) select i from s) s`,
  postgres: `(select i from generate_series(1, ${CARDS}) i) s`,
}
const ID = {
  sqlite: (prefix: string, number: string) => `'${prefix}' || printf('%010d', ${number})`,
  postgres: (prefix: string, number: string) => `'${prefix}' || lpad((${number})::text, 10, '0')`,
}

const SHOWN = STATUSES.filter((status) => status !== 'archived')

/** The columns that differ between the cards. All other columns are copied from a card that the store created. */
const VARIED: Readonly<Record<string, string>> = {
  status: `case when i % 10 < 6 then 'done' when i % 10 = 6 then 'archived' when i % 10 = 7 then 'todo'
    when i % 20 = 8 then 'ready' when i % 20 = 18 then 'review' when i % 20 = 9 then 'blocked' else 'scheduled' end`,
  block_kind: `case when i % 20 = 9 then 'needs_input' end`,
  due_at: `case when i % 20 = 19 then 4000000000000 + i end`,
  scheduled_at: `case when i % 20 = 19 then 4000000000000 + i end`,
  open_parents: `case when i % 10 = 7 then 1 else 0 end`,
  assignee: `case when i % 3 = 0 then null else 'agent' || (i % 50) end`,
  reviewer: `case when i % 3 = 0 then null else 'critic' || (i % 7) end`,
  created_at: 'task.created_at - 1000000 + i',
  rank: 'i',
  priority: 'i % 5',
  workspace_kind: `case when i % 2 = 0 then 'dir' else 'scratch' end`,
  workspace_path: `'/srv/site'`,
}

async function fill(test: TestStore): Promise<void> {
  const { engine, raw } = test
  const id = (prefix: string, number = 'i') => ID[engine](prefix, number)
  const values = TASK.columnNames.map((name) => (name === 'id' ? id('t_') : (VARIED[name] ?? `task.${name}`)))
  await raw(`insert into task (${TASK.columnNames.join(', ')}) select ${values.join(', ')}
    from ${SERIES[engine]}, task where task.id = '${card('model')}'`)
  await raw(`insert into link (board, parent_id, child_id, created_at)
    select 'main', ${id('t_', 'i - 1')}, ${id('t_')}, 0 from ${SERIES[engine]} where i > 1 and i % 10 <> 0`)
  await raw(`insert into run (board, id, task_id, attempt, phase, kind, agent, machine, from_status, claimed_by,
      started_at, ended_at, outcome, probe, usage)
    select 'main', ${id('r_')}, ${id('t_')}, 1, 'work', 'agent', 'agent' || (i % 50), 'laptop', 'ready', 'x',
      1, 2, 'completed', 0, '{"inputTokens":1}' from ${SERIES[engine]}`)
  await raw(`insert into event (id, board, kind, task_id, actor, created_at, data)
    select 1000 + i, 'main', 'created', ${id('t_')}, 'x', 1, '{}' from ${SERIES[engine]}`)
  if (engine === 'postgres') {
    await raw(`update feed set last_id = ${1000 + CARDS}`)
    await raw('analyze')
  }
}

/** Gives every card a comment. */
async function addComments({ engine, raw }: TestStore): Promise<void> {
  // PostgreSQL has no statistics of the rows that one statement inserts, so this trigger would read all of them each
  // time.
  if (engine === 'postgres') await raw('alter table comment disable trigger comment_number')
  await raw(`insert into comment (board, id, task_id, author, body, created_at, number)
    select 'main', ${ID[engine]('c_', 'i')}, ${ID[engine]('t_', 'i')}, 'x', 'hay', 1, 1 from ${SERIES[engine]}`)
  if (engine === 'sqlite') return
  await raw('alter table comment enable trigger comment_number')
  await raw('analyze comment')
}

/** Makes a dialect that records every statement that it runs. */
function recording(dialect: Dialect, statements: Sql[]): Dialect {
  function* note<T>(body: Tx<T>): Tx<T> {
    let step = body.next()
    while (!step.done) {
      statements.push(...(isWrite(step.value) ? [step.value.write] : step.value.ask))
      step = body.next(yield step.value)
    }
    return step.value
  }
  return {
    engine: dialect.engine,
    engineVersion: dialect.engineVersion,
    forUpdate: dialect.forUpdate,
    forNoKeyUpdate: dialect.forNoKeyUpdate,
    forShare: dialect.forShare,
    now: () => dialect.now(),
    lockGraph: (board) => dialect.lockGraph(board),
    get clock() {
      return dialect.clock
    },
    appendEvents: (events, conditions) => dialect.appendEvents(events, conditions),
    lastEventId: () => dialect.lastEventId(),
    revision: () => dialect.revision(),
    transact: (body) => dialect.transact(() => note(body())),
    read: (body) => dialect.read(() => note(body())),
    ring: () => dialect.ring(),
    watch: (onChange) => dialect.watch(onChange),
    integrity: (depth) => dialect.integrity(depth),
    isReplaced: () => dialect.isReplaced(),
    close: () => dialect.close(),
  }
}

interface FilledBoard {
  readonly test: TestStore
  readonly desk: Desk
  readonly dialect: Dialect
  readonly store: Store
  readonly statements: Sql[]
}

/** Opens a board full of cards, with a dispatcher and a few running cards. */
async function openFilledBoard(engine: 'sqlite' | 'postgres'): Promise<FilledBoard> {
  const test = await openTestStore(engine)
  const desk = await Desk.open(test)
  await desk.card('model', { assignee: null })
  await desk.ok('archive', { task: card('model') })
  await fill(test)
  for (let at = 0; at < OPEN_RUNS; at += 1) await desk.run(await desk.card(`run${at}`))
  const statements: Sql[] = []
  const now = await test.store.now()
  const dialect = recording(
    dialectOn(test, () => now),
    statements,
  )
  return { test, desk, dialect, store: new SqlStore(dialect), statements }
}

const isWatched = (statement: Sql): boolean =>
  /\b(task|run|link|event)\b/.test(render(statement, '?')) && !/^\s*(insert|with counter)/.test(render(statement, '?'))

const prefixed = (prefix: string, { strings: [first = '', ...rest], values }: Sql): Sql => ({
  strings: [`${prefix} ${first}`, ...rest],
  values,
})

/** Runs each query and command of a dispatcher, and returns its statements by name. */
async function recordQueries({ desk, store, statements }: FilledBoard): Promise<ReadonlyMap<string, readonly Sql[]>> {
  const asked = new Map<string, readonly Sql[]>()
  const ask = async (name: string, question: () => Promise<unknown>): Promise<void> => {
    statements.length = 0
    await question()
    asked.set(name, [...statements])
  }
  const here = desk.through(store)
  const now = await store.now()
  await desk.card('a', { workspace: { kind: 'dir', path: '/srv/other' } })
  await desk.card('b', { parents: [card('a')] })
  await ask('due', () => store.due(now, 50))
  await ask('nextDue', () => store.nextDue())
  await ask('lanes', () => store.lanes())
  for (const phase of ['work', 'review'] as const)
    for (const agent of [phase === 'work' ? 'agent7' : 'critic3', null])
      await ask(`laneHead of ${agent ?? 'nobody'}, ${phase}`, () => store.laneHead({ board: 'main', agent, phase }, 10))
  for (const phase of ['work', 'review'] as const)
    for (const agent of [phase === 'work' ? 'agent7' : 'critic3', null]) {
      const behind = { rank: now - HOUR, id: card('a') }
      await ask(`laneHead of ${agent ?? 'nobody'} behind a card, ${phase}`, () =>
        store.laneHead({ board: 'main', agent, phase }, 10, behind),
      )
    }
  await ask('waiting', () => store.waiting(now, now + HOUR, 50))
  await ask('usage', () => store.usage('main', { days: [now - HOUR, now], most: 100 }))
  await ask('runEndings', () => store.runEndings(now - HOUR, 100))
  await ask('plannableCards', () => store.plannableCards('main', now, 1))
  await ask('openTournaments', () => store.openTournaments(100))
  await ask('recentCrashes', () => store.recentCrashes(now - HOUR, 50))
  await ask('openRuns', () => store.openRuns(null))
  await ask('openRuns of a machine', () => store.openRuns('laptop'))
  let claimed = { runId: runOf('x'), fence: { runId: runOf('x'), tokenHash: '' }, task: card('a') }
  await ask('claim', async () => {
    claimed = await here.claim(card('a'), { account: 'acme' })
  })
  await ask('register', () =>
    here.ok('register', { ...claimed, identity: desk.claimInput(card('a')).dispatcher }, clockwork),
  )
  await ask('renewLease', () => store.renewLease('main', claimed.fence))
  await ask('verdict', async () => {
    unwrap(await here.verdict(claimed, { kind: 'complete', createdCards: [card('b')], summary: `see ${card('b')}` }))
  })
  await ask('settle, which frees a child', () => here.settle(claimed))
  await ask('reopen, which stops a child', () => here.ok('reopen', { task: card('a') }))
  await ask('wake', () => here.ok('wake', { task: card('b') }, clockwork))
  await ask('create with a parent and a key', () => here.card('c', { parents: [card('a')], idempotencyKey: 'k' }))
  await ask('link', () => here.ok('link', { parent: card('c'), child: card('b') }))
  await ask('forced promote', () => here.ok('promote', { task: card('b'), force: true }))
  await ask('feed', async () => store.feed((await store.feed(null)).cursor))
  await ask('taskEvents', () => store.taskEvents('main', card('a')))
  await ask('task', () => store.task('main', card('a')))
  await ask('tasksByPrefix', () => store.tasksByPrefix('t_00000001'))
  await ask('tasksByPrefix of a board', () => store.tasksByPrefix('t_00000001', { board: 'main' }))
  await ask('tasksByPrefix, the trash too', () => store.tasksByPrefix('t_00000001', { deleted: true }))
  const page = { status: 'done', limit: 50 } as const
  await ask('a page of a column', () => store.tasks('main', page))
  await ask('the next page of a column', () =>
    store.tasks('main', { ...page, after: desk.claimInput(card(10_001)).task }),
  )
  await ask('a page of the board', () => store.tasks('main', { limit: 50 }))
  await ask('the children of a card', () => store.tasks('main', { parent: card(17), limit: 50 }))
  const boards = [{ slug: 'main', reviewer: 'critic3' }]
  const lanes = [{ board: 'main', agent: 'agent7', phase: 'work' }] as const
  for (const reviewer of ['critic3', null])
    await ask(`the inbox with reviewer ${reviewer}`, () =>
      store.inbox({ boards: [{ slug: 'main', reviewer }], lanes, most: 50 }),
    )
  for (const kind of INBOX_KINDS)
    if (kind !== 'account')
      await ask(`the inbox after ${kind}`, () =>
        store.inbox({ boards, lanes, most: 50, after: { kind, rank: 10_000, id: card(10_000) } }),
      )
  const columns = { boards: ['main'], statuses: SHOWN, most: 20, recentMs: HOUR, scripts: ['agent7'] } as const
  await ask('the columns', () => store.columns(columns))
  for (const status of ['ready', 'done', 'archived'] as const)
    await ask(`the next page of column ${status}`, () =>
      store.columns({ ...columns, statuses: [status], after: card(10_001) }),
    )
  const activity = { board: null, task: null, kinds: null, actor: null, before: null, most: 50 }
  await ask('the activity of a card', () => store.activity({ ...activity, task: { board: 'main', id: card(17) } }))
  await ask('cardHistories', () => store.cardHistories([card(1), card(17)]))
  await ask('the summary', () => store.summary({ boards, lanes, since: now - HOUR, today: now - HOUR }))
  await ask('finished cards', () => store.finishedSince(['main'], { since: now, most: 3 }))
  await ask('cardFeed', () => store.cardFeed({ board: 'main', task: card('a') }, null))
  await ask('handOffs', () => store.handOffs('main', card(17)))
  await ask('recentWork', () => store.recentWork('main', 'agent7', { except: card('a'), limit: 5 }))
  await ask('tasksById', () => store.tasksById([card(1), card(2)]))
  await ask('withoutBody', () => store.withoutBody('main', [card(1), card(2)]))
  await ask('workedOn', () => store.workedOn('main', 'agent7', [card(7), card(57), card('a')]))
  await ask('bodyWriter', () => store.bodyWriter('main', card(7)))
  await ask('admissionFacts', async () =>
    store.admissionFacts(await desk.task(card('b')), { machine: 'laptop', agent: 'coder', account: 'acme' }),
  )
  return asked
}

const plansOf = ({ dialect }: FilledBoard, statements: readonly Sql[]): Promise<readonly (readonly string[])[]> =>
  dialect.read(function* () {
    const plans: string[][] = []
    for (const statement of statements.filter(isWatched))
      plans.push((yield* all(prefixed('explain query plan', statement))).map((row) => String(row.detail)))
    return plans
  })

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly Node[]
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Returns the plan of a statement. The statement is run and rolled back. */
async function executed({ dialect }: Pick<FilledBoard, 'dialect'>, statement: Sql): Promise<readonly Node[]> {
  let nodes: readonly Node[] = []
  const undone = new Error('taken back')
  await dialect
    .transact(function* () {
      const row = yield* first(prefixed('explain (analyze, format json)', statement))
      const [plan] = Object.values(row ?? {})[0] as unknown as readonly { Plan: Node }[]
      nodes = plan === undefined ? [] : nodesOf(plan.Plan)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return nodes
}

describe('the queries of a dispatcher on SQLite', () => {
  it('no query scans a board or sorts a lane', async () => {
    const at = await openFilledBoard('sqlite')
    const asked = await recordQueries(at)
    const faults: string[] = []
    const indexes = new Set<string>()
    for (const [name, statements] of asked)
      for (const plan of await plansOf(at, statements)) {
        faults.push(...plan.filter(isScan).map((line) => `${name}: ${line}`))
        const lane = plan.find((line) =>
          / task_(ready|review|due|column|place|open|blocked|triage|unapproved|unlanded|finished|pick) /.test(line),
        )
        if (lane && plan.includes('USE TEMP B-TREE FOR ORDER BY')) faults.push(`${name} sorts: ${lane}`)
        for (const line of plan) indexes.add(/INDEX (\w+)/.exec(line)?.[1] ?? '')
      }
    expect(faults).toEqual([])
    // At least one query uses each of these indexes.
    for (const index of [
      'task_ready',
      'task_review',
      'task_due',
      'task_column',
      'task_place',
      'task_open',
      'task_directory',
      ...INBOX_INDEXES,
    ])
      expect(indexes).toContain(index)
    expect(indexes).toContain('run_open')
  })

  /**
   * Whether a line of a plan scans a whole table, or a whole board through an index. These are allowed: open runs are
   * few, a minimum reads one row of its lane, and a page of the inbox reads the first cards of its kind.
   */
  const isScan = (line: string): boolean => {
    const table = /\b(SCAN|SEARCH) (task|t|p|run|link|l|event|comment)\b/.exec(line)
    if (table === null) return false
    if (table[1] === 'SCAN') return !/ USING INDEX (run_open|task_tournament)$/.test(line)
    return (
      line.endsWith(' (board=?)') && !/ (task_(ready|review|open|triage|unapproved|unlanded|pick)|run_open) /.test(line)
    )
  }
})

describe('the queries of a dispatcher on PostgreSQL', () => {
  const WATCHED = ['task', 'run', 'link', 'event']
  /**
   * The maximum number of rows that a query may touch: enough for the first cards of every lane and for a page, and far
   * below the number of cards.
   */
  const FEW = 200

  it('no query scans a board or touches many rows', async () => {
    const at = await openFilledBoard('postgres')
    const asked = await recordQueries(at)
    const faults: string[] = []
    for (const [name, statements] of asked)
      for (const statement of statements.filter(isWatched))
        for (const node of await executed(at, statement)) {
          const table = node['Relation Name']
          if (table === undefined || !WATCHED.includes(table)) continue
          const touched = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
          if (node['Node Type'] === 'Seq Scan') faults.push(`${name}: Seq Scan on ${table}`)
          else if (touched > FEW) faults.push(`${name}: ${node['Node Type']} on ${table} touches ${touched} rows`)
        }
    expect(faults).toEqual([])
    expect(asked.size).toBeGreaterThan(20)
  })
})

describe.each(['sqlite', 'postgres'] as const)('a search on %s', (engine) => {
  /**
   * The maximum number of rows that a search may read: more than twice the first part of the list, and much less than
   * the whole board.
   */
  const READ = 2_500 + 1_000

  const PLACES = ['title', 'comment', 'result'] as const

  /** Creates a card that has the word in one place. */
  async function hide({ desk }: FilledBoard, place: (typeof PLACES)[number], word: string): Promise<void> {
    const id = card(place)
    await desk.card(place, { title: place === 'title' ? `A ${word}` : 'Plain', priority: -1 })
    if (place === 'comment') await desk.ok('comment', { task: id, id: commentOf('x'), body: `a ${word}` })
    if (place === 'result') await desk.ok('complete', { task: id, runId: runOf('rare'), result: `a ${word}` })
  }

  it('a search for a rare word in a title, comment or result does not read the whole board', async () => {
    const at = await openFilledBoard(engine)
    await addComments(at.test)
    for (const place of PLACES) {
      const word = `needle${place}`
      await hide(at, place, word)
      await at.store.tasks('main', { limit: 1 })
      at.statements.length = 0
      expect(await at.store.tasks('main', { text: word, limit: 50 })).toMatchObject([{ id: card(place) }])
      const texts = at.statements.map((statement) => render(statement, '?'))
      const unbounded = texts.filter((text) => / like /.test(text) && !/\) head\s+where| id in \(\?/.test(text))
      expect(unbounded).toEqual([])
      if (engine === 'sqlite') continue
      let touched = 0
      for (const statement of at.statements.filter(isWatched))
        for (const node of await executed(at, statement))
          if (node['Relation Name'] === 'task' || node['Relation Name'] === 'comment')
            touched += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      expect([place, touched < READ]).toEqual([place, true])
    }
  })
})

describe('a list without finished cards', () => {
  /** The number of cards that are neither finished nor archived. */
  const UNFINISHED = CARDS * 0.3
  const LIMIT = 50
  const SINCE = 1_000

  /** Opens a board whose finished cards are old, except one. */
  async function openBoard(engine: 'sqlite' | 'postgres'): Promise<FilledBoard> {
    const at = await openFilledBoard(engine)
    await at.test.raw(`update task set completed_at = 1 where status = 'done'`)
    await at.desk.card('now', { priority: 9, assignee: 'agent7' })
    await at.desk.complete(card('now'))
    if (engine === 'postgres') await at.test.raw('analyze task')
    return at
  }

  /** Lists the unfinished cards and counts all others. Returns the statements that read cards. */
  async function listed(at: FilledBoard, filter: TaskFilter): Promise<readonly Sql[]> {
    at.statements.length = 0
    const shown = await at.store.tasks('main', { ...filter, unfinishedAt: SINCE })
    expect(shown[0]?.id).toBe(card('now'))
    expect(shown.filter(({ completedAt }) => completedAt === 1)).toEqual([])
    await at.store.hiddenCount('main', filter, { at: SINCE, most: LIMIT })
    return at.statements.filter((one) => /\bfrom task\b/.test(render(one, '?')))
  }

  /** The whole list, a page, and a list of one agent. */
  const FILTERS: readonly TaskFilter[] = [{}, { limit: LIMIT }, { assignee: 'agent7' }]

  it('a list and its pages do not read the finished cards on SQLite', async () => {
    const at = await openBoard('sqlite')
    for (const filter of FILTERS) {
      const plans = (await plansOf(at, await listed(at, filter))).flat()
      expect(plans.filter((line) => /SCAN task|task_open/.test(line))).toEqual([])
      // The plans are those for cards finished after the time, cards without a time, and the count.
      expect(plans.filter((line) => / task_finished /.test(line)).length).toBeGreaterThanOrEqual(3)
    }
  })

  it('a list and its pages do not read the finished cards on PostgreSQL', async () => {
    const at = await openBoard('postgres')
    for (const filter of FILTERS)
      for (const statement of await listed(at, filter)) {
        const touched = (await executed(at, statement))
          .filter((node) => node['Relation Name'] === 'task')
          .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
        // Each card is found in an index and then read.
        expect(touched.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(2 * UNFINISHED + 1_000)
      }
  })
})

describe('cards without statistics in PostgreSQL', () => {
  const CHILDREN = 600
  /**
   * The number of times that each child may be read. A plan reads each child once or twice, and also the row versions
   * that this test rolled back.
   */
  const READS = 10

  it('finishing a parent reads each child at most ten times', async () => {
    const test = await openTestStore('postgres')
    for (const table of ['task', 'link']) await test.raw(`alter table ${table} set (autovacuum_enabled = off)`)
    const desk = await Desk.open(test)
    await desk.card('parent')
    const cards = Array.from({ length: CHILDREN }, (_, at) => ({ id: card(at), title: 'A', parents: [card('parent')] }))
    await desk.ok('create', { cards })
    const statements: Sql[] = []
    const now = await test.store.now()
    const dialect = recording(
      dialectOn(test, () => now),
      statements,
    )
    await desk.through(new SqlStore(dialect)).complete(card('parent'))
    // Sets the children to their state before the last statement. Each statement is explained alone, so the first
    // statement lowers the count of open parents below 0.
    await test.raw('alter table task disable trigger task_open_parents')
    await test.raw(`update task set status = 'todo', open_parents = 0 where id <> '${card('parent')}'`)
    const faults: string[] = []
    for (const statement of statements.filter(isWatched))
      for (const node of await executed({ dialect }, statement)) {
        const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
        const touched = (node['Actual Rows'] + removed) * node['Actual Loops']
        if (touched > READS * CHILDREN) faults.push(`${node['Node Type']} touches ${touched} rows`)
      }
    expect(faults).toEqual([])
  })
})

describe.each(['sqlite', 'postgres'] as const)('events of reviews and body edits on %s', (engine) => {
  /**
   * The number of copies of the events. Every 25th event ends a review, which is the highest share, as on a board that
   * reviews everything.
   */
  const TIMES = 5

  it('reviews and the last author of a card body each have their own index', async () => {
    const at = await openFilledBoard(engine)
    const times = Array.from({ length: TIMES }, (_, time) => `select ${time} as k`).join(' union all ')
    await at.test.raw(`insert into event (id, board, kind, task_id, actor, created_at, data)
      select 100000 + k * ${CARDS} + i, 'main', case when i % 50 = 0 then 'approved' when i % 50 = 1 then
        'changes_requested' else 'heartbeat' end, ${ID[engine]('t_', 'i')}, 'x', 1, '{"waitedMs":7}'
      from ${SERIES[engine]}, (${times}) t`)
    await at.test.raw(`insert into event (id, board, kind, task_id, actor, created_at, data)
      select 1000000 + i, 'main', case i when 2 then 'edited' else 'heartbeat' end, '${card(7)}', 'agent:coder', 1,
        '{"fields":["title","body"]}'
      from ${SERIES[engine]}`)
    if (engine === 'postgres') await at.test.raw('analyze event')
    at.statements.length = 0
    const count = (TIMES * CARDS) / 50
    expect(await at.store.reviews('main')).toMatchObject({ approved: count, changesRequested: count })
    const asked = at.statements.filter((statement) => /\bfrom event\b/.test(render(statement, '?')))
    expect(asked).toHaveLength(4)
    for (const statement of asked) expect(await reads(at, statement)).toEqual(['event_review'])
    at.statements.length = 0
    expect(await at.store.bodyWriter('main', card(7))).toBe('agent:coder')
    for (const statement of at.statements.filter(isWatched)) expect(await reads(at, statement)).toEqual(['event_body'])
  })
  /** Returns the indexes or tables that a statement reads. */
  async function reads(at: FilledBoard, statement: Sql): Promise<readonly string[]> {
    if (engine === 'sqlite')
      return (await plansOf(at, [statement])).flat().map((line) => /INDEX (\w+) \(board=\?/.exec(line)?.[1] ?? line)
    const nodes = await executed(at, statement)
    return nodes.flatMap((node) => node['Index Name'] ?? (node['Node Type'] === 'Seq Scan' ? ['a whole table'] : []))
  }
})
